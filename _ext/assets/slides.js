// The deck: the reader's theme, and Reveal without scaling. Keys belong to a figure while it has the focus, and the
// address to its setting.
const root = document.documentElement;
const mode = localStorage.getItem("mode") || "auto";
const dark = matchMedia("(prefers-color-scheme: dark)");
const setTheme = () => { root.dataset.theme = mode === "auto" ? (dark.matches ? "dark" : "light") : mode; };
dark.addEventListener("change", setTheme);
setTheme();

document.querySelectorAll(".live-panel, .widget-subarea, .cell_output").forEach((element) => {
  element.setAttribute("data-prevent-swipe", "");
});

const back = document.createElement("a");
back.className = "way-back";
back.textContent = "To the chapter (press S for the speaker's notes)";
back.href = document.querySelector(".reveal").dataset.chapter;
document.body.append(back);

const inFigure = (target) => target.closest?.(".live-panel, input, select, button, [role=slider], [role=radio]");
Reveal.initialize({
  plugins: [RevealNotes], disableLayout: true, slideNumber: "c/t", transition: "none", center: false,
  keyboardCondition: (event) => !inFigure(event.target ?? document.body),
});
