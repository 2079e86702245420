import { InputError } from '@rowkey/odata'
import type { EntityResolver, PropertyOf } from '@rowkey/query'
import type { CallOptions } from '@rowkey/rest'
import { mapperInputError } from '../../errors/codes.ts'
import { namesWithCall } from '../call-options.ts'
import type { TableShape } from './table-query.ts'

/** The options of reading some properties of an entity. */
export interface SelectOptions<Name extends string = string> extends CallOptions {
  /**
   * The properties to read, as the class names them. PartitionKey, RowKey, Timestamp and ETag are
   * always read with them, so that the entity can still be merged or deleted.
   */
  readonly select: readonly [Name, ...Name[]]
}

/** The options of reading an entity as another value. */
export interface ResolveOptions<Result> extends CallOptions {
  /** Makes the result from the parts of the entity; its return value is passed on as it is. */
  readonly resolve: EntityResolver<Result>
  /** The properties to read, as the class names them; all when absent. */
  readonly select?: readonly [string, ...string[]] | undefined
}

/** The options that any read of one entity accepts. */
export type AnyReadOptions = Partial<ResolveOptions<unknown>>

/**
 * The key of a read. When `Options` is text, a caller gave the key as two arguments, and the compiler shows how to give
 * it.
 *
 * @example
 * ```ts
 * type A = OneKey<{ timeout: number }, EntityTarget> // EntityTarget
 * ```
 */
export type OneKey<Options, Target> = Options extends string
  ? 'A key is one argument: pass [partitionKey, rowKey], or an object with the properties of the key'
  : Target

/**
 * The options of a read in any form; text stays as it is, for {@link OneKey}.
 *
 * @example
 * ```ts
 * type A = NoText<'Jeff', Customer> // 'Jeff'
 * ```
 */
export type NoText<Options, Entity> = Options extends string
  ? Options
  : SelectOptions<PropertyOf<TableShape<Entity>>> | ResolveOptions<unknown> | CallOptions

/** The names of {@link SelectOptions} and {@link ResolveOptions}. */
export const READ_OPTION_NAMES: readonly string[] = namesWithCall<ResolveOptions<unknown>>({
  select: true,
  resolve: true,
})

/** The options of reading several entities by their keys. */
export interface ManyOptions extends CallOptions {
  /**
   * How many reads may be pending at once.
   *
   * @defaultValue 8
   */
  readonly concurrency?: number | undefined
}

/** The names of {@link ManyOptions}. */
export const MANY_OPTION_NAMES: readonly string[] = namesWithCall<ManyOptions>({
  concurrency: true,
})

/**
 * Rejects an invalid resolver before anything is sent.
 *
 * @param resolve - the option; `undefined` when it is absent
 * @param where - the call, for the message
 * @throws InputError with the code `InvalidOptionValue`
 */
export function checkResolve(resolve: unknown, where: string): void {
  if (resolve === undefined || typeof resolve === 'function') return
  throw mapperInputError({
    code: 'InvalidOptionValue',
    message: `resolve of ${where} must be a function of (partitionKey, rowKey, timestamp, properties, etag).`,
  })
}

/**
 * Rejects targets that are not a list of keys.
 *
 * @param targets - the caller's list
 * @param where - the call, for the message
 * @throws InputError with the code `InvalidEntityKey`
 */
export function checkTargets(targets: Iterable<unknown>, where: string): void {
  // JavaScript callers may pass anything.
  const list: Partial<Iterable<unknown>> | null | undefined = targets
  if (typeof list?.[Symbol.iterator] === 'function') return
  throw new InputError({
    code: 'InvalidEntityKey',
    details: { property: 'PartitionKey' },
    message: `${where} needs a list of keys, such as [['Smith', 'Jeff'], ['Smith', 'Ben']].`,
  })
}
