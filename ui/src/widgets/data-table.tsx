import type { ComponentChildren } from "preact";
import { TableBox } from "./table-box";

/** A row, and what it means to point at it. */
export interface Row {
  key: string | number;
  cells: ComponentChildren[];
  class?: string;
  onPoint?: () => void;
}

interface DataTableProps {
  /** What it is called by people who hear the page. */
  label: string;
  columns: ComponentChildren[];
  rows: Row[];
  caption?: ComponentChildren;
  class: string;
  /** What is said of it to tests and styles. */
  name?: string;
  onPointAway?: () => void;
}

/** A table of facts: a heading for each column, a cell of each row below it. */
export function DataTable({ label, columns, rows, caption, name, onPointAway, ...rest }: DataTableProps) {
  return (
    <TableBox label={label}>
      <table class={rest.class} data-table={name}>
        {caption && <caption>{caption}</caption>}
        <thead>
          <tr>
            {columns.map((column, place) =>
              column === "" ? (
                <td key={place} />
              ) : (
                <th key={place} scope="col">
                  {column}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody onPointerLeave={onPointAway}>
          {rows.map(({ key, cells, class: kind, onPoint }) => (
            <tr key={key} class={kind} onPointerEnter={onPoint}>
              {cells.map((cell, place) => (
                <td key={place}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </TableBox>
  );
}
