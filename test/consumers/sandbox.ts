import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Consumer, ToolSet } from './consumer.ts'

const run = promisify(execFile)
const here = fileURLToPath(new URL('.', import.meta.url))
const root = join(here, '../..')
const INSTALL_SECONDS = 600

/** The packages, in the order in which they need each other. */
export const PACKAGES = [
  'odata',
  'rest',
  'query',
  'mapper',
  'local',
  'patterns',
  'azure-entities',
  'data-tables',
  'rowkey',
  'cli',
] as const

/**
 * Outside the repository, where nothing of its `node_modules` is found. The same folder next time, so
 * that tools are installed once.
 */
const place = join(
  tmpdir(),
  `rowkey-consumers-${createHash('sha256').update(root).digest('hex').slice(0, 8)}`,
)

/** Packs every package, from what is built. Gives the paths of the tarballs. */
export async function packPackages(): Promise<readonly string[]> {
  const folder = join(place, 'tarballs')
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const pack = ['pack', '--silent', '--pack-destination', folder]
  await Promise.all(PACKAGES.map((name) => run('npm', pack, { cwd: join(root, 'packages', name) })))
  return (await readdir(folder)).map((file) => join(folder, file))
}

/** A folder with the tools of a set and Rowkey from its tarballs. */
export interface Sandbox {
  readonly folder: string
  /** The address of a registry that has Rowkey. */
  readonly registry: string
}

/**
 * Installs a set of tools, when it is not yet, and Rowkey beside them.
 *
 * @param set - which tools
 * @param tarballs - from {@link packPackages}
 * @param registry - the address of a registry that has them
 */
export async function openSandbox(
  set: ToolSet,
  tarballs: readonly string[],
  registry: string,
): Promise<Sandbox> {
  const folder = join(place, set)
  const source = join(here, 'tools', set)
  await mkdir(folder, { recursive: true })
  const lock = await readFile(join(source, 'package-lock.json'), 'utf8')
  const stamp = join(folder, 'installed-lock.json')
  if ((await readFile(stamp, 'utf8').catch(() => '')) !== lock) {
    await rm(join(folder, 'node_modules'), { recursive: true, force: true })
    for (const file of ['package.json', 'package-lock.json']) {
      await cp(join(source, file), join(folder, file))
    }
    await install(folder, ['ci'])
    await writeFile(stamp, lock)
  }
  // Removed first: npm keeps a package of the same version.
  for (const name of PACKAGES) {
    const path = name === 'rowkey' ? name : `@rowkey/${name}`
    await rm(join(folder, 'node_modules', path), { recursive: true, force: true })
  }
  await install(folder, ['install', '--no-save', '--no-package-lock', ...tarballs])
  return { folder, registry }
}

async function install(folder: string, args: readonly string[]): Promise<void> {
  await run('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    timeout: INSTALL_SECONDS * 1000,
  })
}

/** Projects that are not below `projects/`. */
const EXAMPLES: Readonly<Record<string, string>> = {
  examples: join(root, 'examples'),
  stacks: join(root, 'examples', 'stacks'),
}
/** Folders of `examples` without sample programs, or whose programs have rows of their own. */
const NOT_SAMPLES: readonly string[] = ['snippets', 'stacks'].map((name) =>
  join(root, 'examples', name),
)

/** Copies a project and its programs into the sandbox, in place of what an earlier run left there. */
export async function copyProject(
  sandbox: Sandbox,
  { name, project, programs, isAlone }: Consumer,
): Promise<string> {
  const folder = isAlone ? join(place, 'alone', name) : join(sandbox.folder, 'projects', name)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const source = EXAMPLES[project] ?? join(here, 'projects', project)
  const isWanted = (path: string) => path === source || !NOT_SAMPLES.includes(path)
  await cp(source, folder, { recursive: true, filter: isWanted })
  for (const file of programs) await cp(join(here, 'programs', file), join(folder, file))
  return folder
}

/** The version of an installed package. */
export async function versionOf(sandbox: Sandbox, name: string): Promise<string> {
  const path = join(sandbox.folder, 'node_modules', name, 'package.json')
  return JSON.parse(await readFile(path, 'utf8')).version
}

/** Makes every package manager in a folder use the registry that has Rowkey, and caches of its own. */
export async function writeRegistry(folder: string, { registry }: Sandbox): Promise<void> {
  const files = {
    '.npmrc': [`registry=${registry}`],
    '.yarnrc': [`registry "${registry}"`, 'cache-folder "./.cache"'],
    '.yarnrc.yml': [
      `npmRegistryServer: "${registry}"`,
      'unsafeHttpWhitelist: ["127.0.0.1"]',
      'enableGlobalCache: false',
      // Otherwise an earlier build of the same version comes from the folder of the user.
      'globalFolder: "./.global"',
      'enableTelemetry: false',
      // The tarballs are seconds old, which Yarn otherwise refuses.
      'npmMinimalAgeGate: 0',
    ],
  }
  for (const [file, lines] of Object.entries(files)) {
    await writeFile(join(folder, file), `${lines.join('\n')}\n`)
  }
}
