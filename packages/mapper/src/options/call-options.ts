import type { OptionRules } from '@rowkey/odata'
import type { QueryColumn, QueryModel } from '@rowkey/query'
import { type CallOptions, callOptions } from '@rowkey/rest'
import { isPlainObject } from '../place/same-value.ts'

const { idempotencyKey: _, ...keyless } = callOptions.rules

/** The rules of calls that send many transactions: one key for all would let all but the first seem applied. */
export const keylessRules: OptionRules<Omit<CallOptions, 'idempotencyKey'>> = keyless

/**
 * Returns the options of calls among more options.
 *
 * @param options - checked options
 */
export function callOptionsIn(options: CallOptions): CallOptions {
  // The copy also belongs to the series of the options, which is not a named member.
  const call: Record<string, unknown> = { ...options }
  for (const name of Object.keys(call)) {
    if (!Object.hasOwn(callOptions.rules, name)) delete call[name]
  }
  return call
}

/**
 * Tells the options of a call from the key of an entity. Names that make up a key are a key.
 *
 * @param value - options, or an object that names an entity
 * @param model - knows the properties of the key
 */
export function isCallOptions(value: unknown, model: QueryModel): value is CallOptions {
  // An instance of a class is an entity, also when all of its members are accessors, which Object.keys does not list.
  if (!isPlainObject(value)) return false
  const names = Object.keys(value)
  if (!names.every((name) => Object.hasOwn(callOptions.rules, name))) return false
  return names.length === 0 || !names.every((name) => isPartOfKey(model.column(name)))
}

function isPartOfKey(column: QueryColumn | undefined): boolean {
  return column?.inKey === true || column?.name === 'PartitionKey' || column?.name === 'RowKey'
}
