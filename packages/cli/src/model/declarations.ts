import type { CallOptions } from '@rowkey/rest'
import type { Account } from 'rowkey'
import { cliInputError } from '../errors/codes.ts'
import { exportsNamed, type LoadedModels } from './load-model.ts'

/** A row that differs from what is derived from it. */
export interface Finding {
  readonly name: string
  readonly kind: string
  readonly row: { readonly partitionKey: string; readonly rowKey: string } | undefined
  readonly kept: { readonly partitionKey: string; readonly rowKey: string } | undefined
  readonly repaired: boolean
}

/** What a comparison of rows with what is derived from them has found. */
export interface Comparison {
  readonly rows: number
  readonly kept: number
  readonly found: number
  readonly repaired: number
  readonly findings: readonly Finding[]
}

/** The options of a comparison. */
export interface ComparisonOptions extends CallOptions {
  readonly only?: readonly string[] | undefined
  readonly onProgress: (progress: Pick<Comparison, 'rows'>) => void
}

/** What `@rowkey/patterns` derives from the rows of a table: indexes, sums, or copies, which have one name only. */
export interface DerivedTable {
  readonly names?: readonly string[]
  state(name: string | undefined, options: CallOptions): Promise<string>
  state(options: CallOptions): Promise<string>
  build(options: ComparisonOptions): Promise<Comparison>
  verify(options: ComparisonOptions): Promise<Comparison>
  repair(options: ComparisonOptions): Promise<Comparison>
  drop(name: string | undefined, options: CallOptions): Promise<void>
}

/** A declaration of a module, opened in a table. */
export interface OpenDeclaration {
  /** The export of the module. */
  readonly title: string
  readonly table: DerivedTable
  /** The names of what it declares; absent for copies. */
  readonly names: readonly string[] | undefined
}

/** Which declarations of a module, and in which table. */
export interface DeclarationChoice {
  readonly declaration?: string | undefined
  readonly table?: string | undefined
}

/**
 * Opens what a module declares by `declareIndexes`, `declareSummaries` and `declareCopies`.
 *
 * @param account - the account, of the copy of rowkey that the module uses
 * @param loaded - the module
 * @param choice - one export of it, and a table with another name than its model
 * @throws InputError with the code `InvalidArgument` for a module without one
 */
export function openDeclarations(
  account: Account,
  { models }: Pick<LoadedModels, 'models'>,
  { declaration, table }: DeclarationChoice,
): readonly OpenDeclaration[] {
  const found = exportsNamed(models, declaration).flatMap(([title, value]) => {
    if (typeof Object(value).on !== 'function') return []
    const open = (value as Declares).on(account, table === undefined ? {} : { name: table })
    return isDerived(open) ? [{ title, table: open, names: open.names }] : []
  })
  if (found.length > 0) return found
  throw cliInputError(
    'InvalidArgument',
    `The module exports no ${declaration === undefined ? 'declaration' : `declaration ${declaration}`}. Export what declareIndexes, declareSummaries or declareCopies returns.`,
  )
}

interface Declares {
  on(account: Account, options: { readonly name?: string }): object
}

/** A declaration of other patterns, such as an outbox, is not compared with rows. */
function isDerived(table: object): table is DerivedTable {
  return 'build' in table && 'verify' in table && 'repair' in table && 'drop' in table
}
