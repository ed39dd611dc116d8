import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { WindowMessages } from "./live";
import { CLOSE } from "./words";

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
  wide?: boolean;
}

/** A modal window: the browser's own, which keeps the focus inside and closes with Escape. */
export function Dialog({ title, onClose, children, wide }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = element.current;
    const before = document.activeElement;
    dialog?.showModal();
    return () => {
      dialog?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click beside the window closes it; keys have Escape.
    <dialog
      ref={element}
      class={wide ? "wide" : ""}
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === element.current) onClose();
      }}
    >
      <div class="dialog-body">
        <header>
          <h2>{title}</h2>
          <button type="button" class="quiet icon" aria-label={CLOSE} onClick={onClose}>
            ✕
          </button>
        </header>
        {children}
      </div>
      <WindowMessages />
    </dialog>
  );
}
