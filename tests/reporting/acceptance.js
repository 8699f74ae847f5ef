"use strict";
// What the acceptance checks of pages ask of a browser.
({
  words: () => {
  const broken = [], range = document.createRange();
  const walker = document.createTreeWalker(document.querySelector("main"), 4);
  for (let node; (node = walker.nextNode()); ) {
    const e = node.parentElement;
    if (!e.checkVisibility() || e.closest("details:not([open]), pre, code, .v, a, [scope=row]")) continue;
    for (const word of node.data.matchAll(/[A-Za-z0-9.]{2,14}/g)) {
      range.setStart(node, word.index);
      range.setEnd(node, word.index + word[0].length);
      const boxes = [...range.getClientRects()];
      const turned = getComputedStyle(e).writingMode !== "horizontal-tb";
      const starts = new Set(boxes.map((b) => Math.round(turned ? b.left : b.top)));
      if (starts.size > 1) broken.push(word[0]);
    }
  }
  return broken;
},

  shown: () => [...document.querySelectorAll(".forest tbody tr")]
  .filter((row) => row.querySelector(".p"))
  .map((row) => [".d", ".p", ".pt"].map((kind) => {
    const box = row.querySelector(kind).getBoundingClientRect();
    return box.width > 0 && box.left >= 0 && box.right <= innerWidth;
  }).every(Boolean)),

  pictures: (font) => {
  const found = [], read = [];
  for (const image of document.images) {
    const holder = document.createElement("div");
    holder.style.cssText = "position:absolute;left:0;top:0;width:1300px";
    const root = holder.attachShadow({ mode: "open" });
    const text = decodeURIComponent(image.src.slice(image.src.indexOf(",") + 1));
    root.innerHTML = text.slice(text.indexOf("<svg"));
    document.body.append(holder);
    const edge = root.querySelector("svg").getBoundingClientRect();
    const boxes = [...root.querySelectorAll("text")]
      .filter((t) => t.textContent.trim())
      .map((t) => {
        if (font) t.style.fontFamily = font;
        return [t.textContent, t.getBoundingClientRect()];
      });
    read.push(boxes.length);
    boxes.forEach(([name, a], i) => {
      if (a.left < edge.left - 1 || a.right > edge.right + 1) found.push([name, "edge"]);
      for (const [other, b] of boxes.slice(i + 1)) {
        const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (wide > 1 && high > 4) found.push([name, other]);
      }
    });
    holder.remove();
  }
  return [found, read];
},

  forest: () => [...document.querySelectorAll(".forest")].flatMap((table) => {
  const texts = [...table.querySelectorAll("tfoot text, thead th, tbody td, tbody th")]
    .filter((e) => e.checkVisibility() && e.textContent.trim() && !e.matches(".plot"))
    .map((e) => {
      if (e.matches("text")) return [e.textContent, e.getBoundingClientRect()];
      const range = document.createRange();
      range.selectNodeContents(e);
      return [e.textContent, range.getBoundingClientRect()];
    });
  const tick = [...table.querySelectorAll("tfoot text")].find((t) => !Number(t.textContent.replace("\u2212", "-")));
  const zero = table.querySelector("tbody .zero").getBoundingClientRect();
  const found = [];
  if (tick) {
    const box = tick.getBoundingClientRect();
    if (Math.abs(box.left + box.width / 2 - zero.left - zero.width / 2) > 1) found.push("zero");
  }
  texts.forEach(([name, a], i) => {
    for (const [other, b] of texts.slice(i + 1)) {
      const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (wide > 1 && high > 4) found.push([name, other]);
    }
  });
  return found;
}),

  code: () => {
  const all = [...document.querySelectorAll("*")], ids = all.map((e) => e.id).filter(Boolean);
  return {
    scripts: document.scripts.length,
    handlers: all.filter((e) => [...e.attributes].some((a) => a.name.startsWith("on"))).length,
    twice: ids.length - new Set(ids).size,
    places: all.flatMap((e) => [e.getAttribute("href"), e.getAttribute("src")])
      .filter((x) => x && !/^(#|data:)/.test(x)),
    rows: Math.max(0, ...[...document.querySelectorAll("table")].map((t) => t.rows.length)),
  };
}
})
