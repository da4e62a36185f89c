// Replaces `sanitize-html`: all markup in a page's widgets comes from the course.
export default (/** @type {string} */ html) => html;
