import { aFunction, checkValue } from '@rowkey/odata'
import { checkArgument } from '../errors/check-argument.ts'
import { invalidPatternOption } from '../errors/codes.ts'
import { aCount, anObject, aSignal, aThingOfTexts } from '../errors/rules.ts'
import { type ManyWritesOptions, manyWritesOptions } from '../options/pattern-options.ts'
import type { ModelTable } from '../rows/model-table.ts'
import type { OutboxJob } from './deliver-messages.ts'
import type { OutboxPartition } from './outbox-keeper.ts'

const aPartition = aThingOfTexts('the object that was announced', 'table', 'partitionKey')

/**
 * Checks the arguments of a delivery.
 *
 * @param partition - what was announced
 * @param job - the job of the announcement
 * @param place - the method, for messages
 * @throws InputError (`InvalidPatternOption`)
 */
export function checkDelivery(
  partition: OutboxPartition,
  job: OutboxJob,
  { name }: Pick<ModelTable, 'name'>,
  place: string,
): void {
  checkArgument(aPartition, partition, `The partition of ${place}`)
  checkArgument(anObject, job, `The job of ${place}`)
  const { options = {}, attempt = 1 } = job
  manyWritesOptions.check(options, place)
  checkValue(attempt, aCount, 'attempt', `the job of ${place}`, invalidPatternOption)
  if (job.signal !== undefined)
    checkArgument(aSignal, job.signal, `The signal of the job of ${place}`)
  // A job of another table finds nothing here, and its messages would wait there.
  checkSame(partition.table, name, place)
}

/** Checks a handler of messages, and the options of a call. */
export function checkHandler(handler: unknown, options: ManyWritesOptions, place: string): void {
  checkArgument(aFunction, handler, `The handler of ${place}`)
  manyWritesOptions.check(options, place)
}

function checkSame(announced: string, own: string, place: string): void {
  if (announced === own) return
  throw invalidPatternOption(
    `The partition of ${place} was announced in the table ${announced}, and this is the table ${own}. Deliver it with the outbox of its own table.`,
  )
}
