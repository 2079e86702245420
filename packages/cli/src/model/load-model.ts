import { readdir, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { UnionType } from '@rowkey/mapper'
import type { connect, upgradeTable } from 'rowkey'
import { cliInputError } from '../errors/codes.ts'

/** The exports of a module with models, and functions of the copy of rowkey that it uses. */
export interface LoadedModels {
  readonly models: Readonly<Record<string, unknown>>
  readonly connect: typeof connect
  readonly upgradeTable: typeof upgradeTable
}

/** A union of types, as `union` makes it. */
export interface ModelUnion {
  /** The types of its rows. */
  readonly types: readonly UnionType[]
}

/** Tells whether an export is a union of types. */
export function isUnion(value: unknown): value is ModelUnion {
  return typeof value === 'object' && value !== null && 'types' in value && 'open' in value
}

/** What this file uses of esbuild. */
interface Esbuild {
  build(options: object): Promise<unknown>
}

/**
 * Returns the exports of a module with their names.
 *
 * @param models - the exports
 * @param name - only this one; `undefined` for all
 */
export function exportsNamed(
  models: LoadedModels['models'],
  name: string | undefined,
): readonly (readonly [name: string, value: unknown])[] {
  return Object.entries(models).filter(([each]) => name === undefined || each === name)
}

/**
 * Loads a module with models. TypeScript is compiled by the esbuild of the program that the module belongs to.
 *
 * @param path - the module
 * @throws InputError with the code `UnreadableInput` when esbuild is not installed there
 */
export async function loadModels(path: string): Promise<LoadedModels> {
  const folder = dirname(path)
  const file = join(folder, `.${basename(path)}.${process.pid}.mjs`)
  const esbuild = loadEsbuild(path)
  try {
    await removeLeftOver(folder, basename(path))
    await esbuild.build({
      stdin: {
        contents: `export * as models from ${JSON.stringify(`./${basename(path)}`)}\nexport { connect, upgradeTable } from 'rowkey'`,
        resolveDir: folder,
      },
      bundle: true,
      packages: 'external',
      format: 'esm',
      platform: 'node',
      target: 'node20',
      outfile: file,
      logLevel: 'silent',
    })
    return (await import(pathToFileURL(file).href)) as LoadedModels
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw cliInputError('UnreadableInput', `${path} cannot be loaded: ${reason}`, cause)
  } finally {
    await rm(file, { force: true })
  }
}

/** Removes what commands that were killed have compiled. */
async function removeLeftOver(folder: string, module: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(`.${module}.`)) continue
    const [, pid] = /^\.(\d+)\.mjs$/.exec(name.slice(module.length + 1)) ?? []
    if (pid !== undefined && !isRunning(Number(pid))) await rm(join(folder, name), { force: true })
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // A process of another user runs, too.
    return Object(error).code === 'EPERM'
  }
}

function loadEsbuild(path: string): Esbuild {
  try {
    return createRequire(path)('esbuild') as Esbuild
  } catch (cause) {
    throw cliInputError(
      'UnreadableInput',
      `${path} is compiled by esbuild, which is not installed there. Run: npm install --save-dev esbuild`,
      cause,
    )
  }
}
