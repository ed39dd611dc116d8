import { Dialog } from "./dialog";
import { KEY_LIST, KEYS } from "./words";

export function Help({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={KEYS} onClose={onClose} wide>
      <div class="key-list">
        {KEY_LIST.map(([title, rows]) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl>
              {rows.map(([keys, meaning]) => (
                <div key={keys}>
                  <dt>
                    <kbd>{keys}</kbd>
                  </dt>
                  <dd>{meaning}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
