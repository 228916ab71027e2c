// Node's http module. An import of `node:http` reads all its exports, and the one named WebSocket loads Node's whole web client:
// 7 MB of memory in every process.
export const http = process.getBuiltinModule('node:http');
