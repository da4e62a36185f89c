// Write the icons of the pages as a style sheet, each extracted from the theme's script:
//
//   node icons.mjs fontawesome.js icons.css
//
// The theme's script would add 80 kB to each page and draw the icons only after loading.
import { readFileSync, writeFileSync } from "node:fs";
import { runInNewContext } from "node:vm";

const NAMES = {
  fas:
    "angle-left angle-right arrow-up bars chevron-down circle-half-stroke download file file-pdf lightbulb list " +
    "magnifying-glass moon person-chalkboard rocket sun xmark",
  fab: "github",
};

const [script, sheet] = process.argv.slice(2);
const window = {}; // without a document the script only registers its icons
runInNewContext(readFileSync(script, "utf8"), { window });
const { styles } = window.___FONT_AWESOME___;

const rule = (style) => (name) => {
  const [width, height, , , path] = styles[style][name];
  const drawing = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 ${width} ${height}'><path d='${path}'/></svg>`;
  return `.fa-${name} { --icon: url("data:image/svg+xml,${drawing}"); --icon-width: ${width / height}em; }\n`;
};
writeFileSync(
  sheet,
  Object.entries(NAMES)
    .flatMap(([style, names]) => names.split(" ").map(rule(style)))
    .join(""),
);
