import { connect, DynamicEntity } from 'rowkey'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const account = connect('memory:')
const exact = connect('memory:', { exactWrites: true })
const people = account.table('people')
const stored = new DynamicEntity('Smith', 'Jeff', { n: 1 })
const missing = new DynamicEntity('Smith', 'Missing', { n: 1 })

beforeAll(async () => {
  await people.create()
  await exact.table('people').create()
  await people.insert(stored)
  await exact.table('people').insert(stored)
})
afterAll(async () => {
  await account.close()
  await exact.close()
})

/** Calls that the service rejects. */
const calls: Readonly<Record<string, () => Promise<unknown>>> = {
  get: async () => await people.get(['Smith', 'Missing']),
  insert: async () => await people.insert(new DynamicEntity('Smith', 'Jeff')),
  merge: async () => await people.merge(missing, { etag: '*' }),
  replace: async () => await people.replace(missing, { etag: '*' }),
  delete: async () => await people.delete(['Smith', 'Missing'], { etag: '*' }),
  modify: async () => await people.modify(['Smith', 'Missing'], () => {}),
  'a batch': async () => await people.batch().insert(new DynamicEntity('Smith', 'Jeff')).submit(),
  'create a table': async () => await people.create(),
}

/** The same, with more steps in between than Node prints: `--stack-trace-limit` shows them. */
const longCalls: typeof calls = {
  'insert, exactly': async () =>
    await exact.table('people').insert(new DynamicEntity('Smith', 'Jeff')),
  query: async () => await account.table('unknown').query().where({ partitionKey: 'a' }).toArray(),
}

async function stackOf(call: () => Promise<unknown>, limit: number): Promise<string | undefined> {
  const before = Error.stackTraceLimit
  Error.stackTraceLimit = limit
  try {
    await call()
    return expect.unreachable()
  } catch (thrown) {
    return (thrown as Error).stack
  } finally {
    Error.stackTraceLimit = before
  }
}

describe('the stack of an error of the service leads to the line of the caller', () => {
  it.each(Object.entries(calls))('%s', async (_, call) => {
    expect(await stackOf(call, 10)).toContain('error-stacks.test.ts:')
  })

  it.each(Object.entries(longCalls))('%s', async (_, call) => {
    expect(await stackOf(call, 20)).toContain('error-stacks.test.ts:')
  })
})
