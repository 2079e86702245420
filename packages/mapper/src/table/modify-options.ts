import { type CallOptions, OptionValueError } from '@rowkey/rest'
import { CALL_OPTION_NAMES } from './option-names.ts'

/** What modify takes. */
export interface ModifyOptions extends CallOptions {
  /**
   * How often at most the entity is read, changed and sent, when others write it in between.
   *
   * @defaultValue 10
   */
  readonly attempts?: number | undefined
}

/** The names of {@link ModifyOptions}. */
export const MODIFY_OPTION_NAMES: readonly string[] = [...CALL_OPTION_NAMES, 'attempts']

/**
 * How often to try, checked.
 *
 * @param attempts - as the caller gave it
 * @param where - the call, for the message
 * @throws OptionValueError
 */
export function attemptsIn(attempts: unknown, where: string): number {
  if (attempts === undefined) return 10
  if (typeof attempts === 'number' && Number.isSafeInteger(attempts) && attempts >= 1) {
    return attempts
  }
  throw new OptionValueError({
    message: `attempts of ${where} says how often to try: give a whole number from 1.`,
  })
}
