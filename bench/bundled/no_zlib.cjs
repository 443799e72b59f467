// Replaces `node:zlib`, which the browser build of just-bash imports for its gzip command.
module.exports = {};
