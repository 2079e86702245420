import { InputError } from '@rowkey/odata'
import type { CallOptions } from '@rowkey/rest'
import { CALL_OPTION_NAMES } from '../option-names.ts'

/** The options of modify. */
export interface ModifyOptions<Input extends object = object> extends CallOptions {
  /**
   * How often at most the entity is read, changed and sent, when others write it in between.
   *
   * @defaultValue 10
   */
  readonly attempts?: number | undefined
  /**
   * What to insert when the entity is missing, or a function that makes it. It is stored as it is: the
   * modifier is not called for it. Its key must be the target's.
   */
  readonly orInsert?: Input | (() => Input | Promise<Input>) | undefined
}

/** The names of {@link ModifyOptions}. */
export const MODIFY_OPTION_NAMES: readonly string[] = [...CALL_OPTION_NAMES, 'attempts', 'orInsert']

/**
 * How often to try, checked.
 *
 * @param attempts - as the caller gave it
 * @param where - the call, for the message
 * @throws InputError (`InvalidOptionValue`)
 */
export function attemptsIn(attempts: unknown, where: string): number {
  if (attempts === undefined) return 10
  if (typeof attempts === 'number' && Number.isSafeInteger(attempts) && attempts >= 1) {
    return attempts
  }
  throw new InputError({
    code: 'InvalidOptionValue',
    message: `attempts of ${where} says how often to try: give a whole number from 1.`,
  })
}

/**
 * Checks the option of the same name.
 *
 * @throws InputError (`InvalidOptionValue`)
 */
export function checkOrInsert(orInsert: unknown, where: string): void {
  if (orInsert === undefined || typeof orInsert === 'function') return
  if (typeof orInsert === 'object' && orInsert !== null) return
  throw new InputError({
    code: 'InvalidOptionValue',
    message: `orInsert of ${where} must be an entity, or a function that returns one.`,
  })
}
