import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Account } from 'rowkey'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { type CliResult, type CliSettings, runCli } from './run-cli.ts'
import { openTables, type Tables } from './with-tables.ts'

type Run = (line: string | readonly string[], settings?: CliSettings) => Promise<CliResult>
type Store = (account: Account) => Promise<unknown>

/** What the tests of a file have. */
interface Place {
  tables: Tables
  /** Empty before each test. */
  folder: string
}

async function emptyFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'rowkey-cli-'))
}

/** Opens an account for the tests of the calling file. */
export function oneAccount(store?: Store): { readonly at: Readonly<Place>; readonly run: Run } {
  const at = {} as Place
  beforeAll(async () => {
    at.tables = await openTables()
    await store?.(at.tables.account)
  })
  afterAll(() => at.tables[Symbol.asyncDispose]())
  beforeEach(async () => {
    at.folder = await emptyFolder()
    return () => rm(at.folder, { recursive: true })
  })
  const run: Run = (line, settings) =>
    runCli(line, { target: at.tables.target, folder: at.folder, ...settings })
  return { at, run }
}

/** Opens two accounts for each test of the calling file. Command lines call the second one `@other`. */
export function twoAccounts(store: Store): {
  readonly at: Readonly<Place & { other: Tables }>
  readonly run: Run
} {
  const at = {} as Place & { other: Tables }
  beforeEach(async () => {
    ;[at.tables, at.other] = await Promise.all([openTables(), openTables()])
    at.folder = await emptyFolder()
    await store(at.tables.account)
    return async () => {
      await at.tables[Symbol.asyncDispose]()
      await at.other[Symbol.asyncDispose]()
      await rm(at.folder, { recursive: true })
    }
  })
  const run: Run = (line, settings) => {
    const environment = { ROWKEY_OTHER: at.other.target }
    return runCli(line, {
      target: at.tables.target,
      folder: at.folder,
      environment,
      ...settings,
    })
  }
  return { at, run }
}
