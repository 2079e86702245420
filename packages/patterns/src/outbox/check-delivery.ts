import type { Account } from '@rowkey/mapper'
import { checkAccount, checkFunction, checkTexts } from '../errors/check-arguments.ts'
import { patternsInputError } from '../errors/codes.ts'
import { type ManyWritesOptions, manyWritesOptions } from '../options/pattern-options.ts'
import type { OutboxPartition } from './outbox-keeper.ts'

/**
 * Checks the arguments that the methods of an outbox have in common.
 *
 * @throws InputError (`InvalidPatternOption`)
 */
export function checkCall(
  account: unknown,
  handler: unknown,
  options: ManyWritesOptions,
  method: string,
): void {
  const place = `${method} of an outbox`
  checkAccount(account, place)
  checkFunction(handler, `The handler of ${place}`)
  manyWritesOptions.check(options, place)
}

/**
 * Checks what was announced.
 *
 * @throws InputError (`InvalidPatternOption`)
 */
export function checkPartition(partition: unknown, method: string): void {
  const place = `The partition of ${method} of an outbox`
  checkTexts(partition, place, 'the object that was announced', ['table', 'partitionKey'])
}

/**
 * Checks that a partition is in the account: a job of another account finds nothing here, and its messages would wait there.
 *
 * @throws InputError (`InvalidPatternOption`)
 */
export function checkSameAccount({ service }: Account, { account }: OutboxPartition): void {
  const own = service.endpoint.account
  if (account === undefined || account === own) return
  throw patternsInputError({
    code: 'InvalidPatternOption',
    message: `The partition of deliver of an outbox was announced in the account ${account}, and this is the account ${own}. Deliver it with the account of its table, and give each account a queue of its own in announce.`,
  })
}
