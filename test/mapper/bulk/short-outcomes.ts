import type { BulkOutcome } from '@rowkey/mapper'

/** The outcomes in the order of the input, in short. */
export async function outcomesOf<Item>(run: AsyncIterable<BulkOutcome<Item>>): Promise<string[]> {
  const short: string[] = []
  for await (const { index, status, key } of run) {
    short[index] = `${status} ${key ? `${key.partitionKey}/${key.rowKey}` : '-'}`
  }
  return short
}

/** The code of the error of a call; `undefined` when it succeeds. */
export async function codeOf(work: PromiseLike<unknown>): Promise<unknown> {
  return Promise.resolve(work).then(
    () => undefined,
    (error: { code: unknown }) => error.code,
  )
}
