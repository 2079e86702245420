import type { TableQuery } from '@rowkey/mapper'
import { isRowkeyError } from '@rowkey/odata'
import type { Account } from 'rowkey'
import { cliInputError } from '../errors/codes.ts'
import type { PageWrite } from '../transfer/write-swept.ts'
import { exportsNamed, isUnion, type LoadedModels } from './load-model.ts'
import { isClass, modelsIn } from './models-in.ts'

/** A table of a model, whatever its rows are. */
export interface ModelTable {
  readonly name: string
  query(): TableQuery<object>
  bulk(options: object): {
    delete(rows: readonly object[]): PageWrite
    merge(rows: readonly object[]): PageWrite
  }
}

/** Which export of a module, and which table. */
export interface ModelChoice {
  readonly model?: string | undefined
  readonly table?: string | undefined
}

/**
 * Opens a table by a model of a module: by the export that is named, by the union, or by the only model.
 *
 * @param account - the account
 * @param loaded - the module
 * @param choice - the export, and the table
 * @throws InputError with the code `InvalidArgument` when the module leaves it open
 */
export function modelTable(
  account: Account,
  { models }: Pick<LoadedModels, 'models'>,
  { model, table }: ModelChoice,
): ModelTable {
  const named = exportsNamed(models, model)
  const failures: Error[] = []
  const opened = named.flatMap(([, value]) => openModel(account, value, table, failures) ?? [])
  const union = named.map(([, value]) => value).find(isUnion)
  const name = table ?? opened[0]?.name
  if (union !== undefined && name !== undefined) {
    // The module says what the union is of.
    return account.table(name, union as never) as unknown as ModelTable
  }
  const [only, ...others] = opened
  if (only !== undefined && others.length === 0) return only
  const [failure] = only === undefined ? failures : []
  const names = Object.keys(models)
  const advice =
    names.length === 0
      ? 'Export a class with @Entity, a model of defineEntity, or a union.'
      : `Give --model with one of: ${names.join(', ')}.`
  const found = only === undefined ? 'no model' : 'several models'
  const reason = failure === undefined ? '' : `${failure.message} `
  throw cliInputError('InvalidArgument', `The module exports ${found}. ${reason}${advice}`, failure)
}

/** Opens the table of an export, unless it is not a model; adds the reason to the failures when it seems to be one. */
function openModel(
  account: Account,
  value: unknown,
  table: string | undefined,
  failures: Error[],
): ModelTable | undefined {
  const isModel = isClass(value) || (typeof value === 'object' && modelsIn(value).length > 0)
  if (!isModel || isUnion(value)) return undefined
  try {
    return account.table(value as never, table) as unknown as ModelTable
  } catch (error) {
    if (!isRowkeyError(error)) throw error
    failures.push(error)
    return undefined
  }
}
