"use strict";
(() => {
  const value = (row, column) =>
    row.cells[column].textContent.replace(/\s+/g, " ").trim();
  const number = (row, column) => {
    const held = row.cells[column].dataset.v;
    const found = held ?? (value(row, column).replaceAll("−", "-").match(/-?\d+\.?\d*/) || [NaN])[0];
    return found === "inf" ? Infinity : found === "-inf" ? -Infinity : Number(found);
  };
  const last = (x) => (Number.isNaN(x) ? 1 : 0);
  const byNumber = (a, b) => last(a) - last(b) || (a < b ? -1 : a > b ? 1 : 0);
  const byText = (a, b) => a.localeCompare(b, undefined, { numeric: true });
  const next = { none: "ascending", ascending: "descending", descending: "none" };

  const sort = (table, rows, header) => {
    const body = table.tBodies[0];
    const column = header.cellIndex;
    const order = next[header.getAttribute("aria-sort") || "none"];
    for (const other of header.parentNode.cells) other.removeAttribute("aria-sort");
    if (order === "none") {
      body.append(...rows);
      return;
    }
    header.setAttribute("aria-sort", order);
    const asNumbers = header.classList.contains("n");
    const keyed = rows.map((row) => ({
      row,
      key: asNumbers ? number(row, column) : value(row, column),
    }));
    const sign = order === "ascending" ? 1 : -1;
    keyed.sort((a, b) =>
      asNumbers
        ? last(a.key) - last(b.key) || sign * byNumber(a.key, b.key)
        : sign * byText(a.key, b.key)
    );
    body.append(...keyed.map((item) => item.row));
  };

  // As it is shown and sorted, numbers with a plain minus, and no cell a formula for a
  // spreadsheet; full precision is in the files beside the page.
  const cellText = (row, cell) => {
    const text = value(row, cell.cellIndex);
    if (cell.className === "n") return text.replaceAll("−", "-");
    return /^\s*[=+\-@]/.test(text) ? `'${text}` : text;
  };
  const csv = (table) =>
    [...table.rows]
      .map((row) =>
        [...row.cells]
          .map((cell) => `"${cellText(row, cell).replaceAll('"', '""')}"`)
          .join(",")
      )
      .join("\r\n") + "\r\n";
  const save = (table, name) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob(["\ufeff", csv(table)], { type: "text/csv" }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  };

  for (const [place, table] of document.querySelectorAll("table:not(.ordering, .firm, .forest)").entries()) {
    const name = `table${place + 1}.csv`;
    const saving = document.createElement("button");
    saving.type = "button";
    saving.className = "save";
    saving.textContent = "save as CSV";
    saving.setAttribute("aria-label", `save as ${name}: ${table.getAttribute("aria-label")}`);
    table.parentNode.previousElementSibling.append(" ", saving);
    saving.addEventListener("click", () => save(table, name));
    const rows = [...table.tBodies[0].rows];
    if (rows.length < 3 || table.className === "ordering") continue;
    for (const header of table.tHead.rows[0].cells) {
      const button = document.createElement("button");
      button.type = "button";
      button.title = "sort by this column";
      button.append(...header.childNodes);
      header.append(button);
      button.addEventListener("click", () => sort(table, rows, header));
    }
  }

  const reveal = () => {
    const target = document.getElementById(location.hash.slice(1));
    if (!target) return;
    let part = target.closest("details.part");
    for (; part; part = part.parentElement.closest("details.part")) part.open = true;
    target.scrollIntoView();
  };
  addEventListener("hashchange", reveal);
  reveal();
})();
