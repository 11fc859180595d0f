/** The table as a PNG: the page's own drawing and styles in one SVG, painted onto a canvas. Nothing leaves the browser. */
const SCALE = 2;

const bytes64 = async (url: string): Promise<string> => {
  const all = new Uint8Array(await (await fetch(url)).arrayBuffer());
  let text = "";
  for (const byte of all) text += String.fromCharCode(byte);
  return btoa(text);
};

/** The page's style sheets as they are, with the fonts inside: a picture may not load anything. */
async function styles(): Promise<string> {
  const sheets = [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')];
  let text = (await Promise.all(sheets.map(async (it) => (await fetch(it.href)).text()))).join("\n");
  for (const [whole, , font] of [...text.matchAll(/url\((["']?)([^"')]+\.woff2)\1\)/g)]) text = text.replaceAll(whole, `url("data:font/woff2;base64,${await bytes64(font as string)}")`);
  return text;
}

export async function tablePng(node: HTMLElement): Promise<Blob> {
  const box = node.getBoundingClientRect();
  const [width, height] = [Math.ceil(box.width), Math.ceil(box.height)];
  const copy = node.cloneNode(true) as HTMLElement;
  for (const gone of copy.querySelectorAll(".replaybar, .toast, .band, .hidden-text")) gone.remove();
  // A picture has no viewport of its own to measure by.
  Object.assign(copy.style, { height: `${height}px`, width: `${width}px` });
  const sprite = document.querySelector(".sprite");
  const { theme = "dark" } = document.documentElement.dataset;
  const inside = new XMLSerializer().serializeToString(copy) + (sprite ? new XMLSerializer().serializeToString(sprite) : "");
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" data-theme="${theme}" data-motion="less" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">` +
    `<style><![CDATA[${await styles()}]]></style><foreignObject width="100%" height="100%"><body xmlns="http://www.w3.org/1999/xhtml"><div class="replay" style="display:block;height:${height}px">${inside}</div></body></foreignObject></svg>`;
  const image = new Image();
  await new Promise<void>((done, fail) => {
    image.onload = () => done();
    image.onerror = () => fail(new Error("the picture could not be drawn"));
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  });
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [width * SCALE, height * SCALE];
  const pen = canvas.getContext("2d");
  if (!pen) throw new Error("no canvas here");
  pen.scale(SCALE, SCALE);
  pen.drawImage(image, 0, 0);
  return new Promise((done, fail) => canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error("no picture"))), "image/png"));
}
