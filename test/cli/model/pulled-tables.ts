import { execFile } from 'node:child_process'
import { mkdtemp, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { runCli } from '../run-cli.ts'
import type { Tables } from '../with-tables.ts'
import { arbitraryTable } from './random-tables.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** Makes a folder for models, where Node finds rowkey and esbuild. */
export async function modelFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'rowkey-models-'))
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  return folder
}

/**
 * Pulls models of random tables, compiles them, and reads all rows by them.
 *
 * @param tables - the account
 * @param folder - for the models
 * @param plan - how many tables, and the seed of the first
 * @returns what went wrong
 */
export async function pulledTables(
  tables: Tables,
  folder: string,
  plan: { readonly count: number; readonly seed: number },
): Promise<readonly string[]> {
  const wrong: string[] = []
  const samples = fc.sample(arbitraryTable, { numRuns: plan.count, seed: plan.seed })
  const settings = { target: tables.target, folder }
  for (const [at, rows] of samples.entries()) {
    const name = `pulled${plan.seed}x${at}`
    await tables.account.createTable(name)
    await tables.account.table(name).bulk().insert(rows)
    const pulled = await runCli(`pull ${name} ${name}.ts ${at % 2 === 0 ? '--all' : ''}`, settings)
    if (pulled.code !== 0) wrong.push(`${name}: ${pulled.warned}`)
    const checked = await runCli(`check ${name}.ts --verify --json`, settings)
    const read =
      checked.code === 0 ? JSON.parse(checked.printed).read : checked.printed + checked.warned
    if (read !== rows.length) wrong.push(`${name}: ${read} of ${rows.length} rows`)
  }
  return [...wrong, ...(await compilerErrors(folder))]
}

/** Compiles all modules of a folder as strictly as this project compiles its own. */
async function compilerErrors(folder: string): Promise<readonly string[]> {
  const compilerOptions = {
    composite: false,
    declaration: false,
    emitDeclarationOnly: false,
    noEmit: true,
    erasableSyntaxOnly: false,
    isolatedDeclarations: false,
  }
  const config = join(folder, 'tsconfig.json')
  await writeFile(
    config,
    JSON.stringify({
      extends: join(root, 'tsconfig.base.json'),
      compilerOptions,
      include: ['*.ts'],
    }),
  )
  const tsc = join(root, 'node_modules/@typescript/native/bin/tsc')
  try {
    await promisify(execFile)(process.execPath, [tsc, '-p', config])
    return []
  } catch (error) {
    return (error as { readonly stdout: string }).stdout.split('\n')
  }
}
