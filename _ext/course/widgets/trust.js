// Stands in for `sanitize-html`: all markup in a page's widgets is the course's own.
export default (html) => html;
