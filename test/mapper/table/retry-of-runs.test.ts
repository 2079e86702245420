import { localTableService } from '@rowkey/local'
import { Account, defineEntity, key, upgradeTable } from '@rowkey/mapper'
import {
  type CallOptions,
  noRetry,
  OperationContext,
  type Transport,
  TransportError,
  tableService,
} from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'

const Person = defineEntity({
  name: 'people',
  partitionKey: key`${'city'}`,
  rowKey: key`${'name'}`,
  schema: z.object({ city: z.string(), name: z.string(), age: z.number().optional() }),
})

interface Tables {
  readonly account: Account
  readonly people: ReturnType<typeof peopleOf>
}

const peopleOf = (account: Account) => account.table(Person)

/** An account whose transport dies at a moment, for writes or for all requests, with the waits since. */
async function dying(forReads: boolean) {
  const local = localTableService()
  let isDead = false
  const waits: number[] = []
  const sent: string[] = []
  const failed: string[] = []
  const transport: Transport = (request, limits) => {
    const mayHaveApplied = request.method !== 'GET'
    sent.push(`${request.method} ${request.path} ${request.query} ${request.body}`)
    if (!isDead || !(forReads || mayHaveApplied)) return local.transport(request, limits)
    failed.push(sent.at(-1) ?? '')
    throw new TransportError({ message: 'The socket is dead.', mayHaveApplied })
  }
  const service = tableService({
    connectionString: local.connectionString(),
    transport,
    sleep: async (delay) => {
      waits.push(delay)
      await new Promise(setImmediate)
    },
  })
  const account = new Account(service)
  const people = peopleOf(account)
  await people.create()
  await people.bulk().insert([...Array(101).keys()].map((n) => ({ city: 'Rome', name: `n${n}` })))
  const die = () => {
    isDead = true
  }
  await account.table('copies').create()
  return { account, people, waits, sent, failed, die }
}

const n1 = ['Rome', 'n1'] as const
const ann = { city: 'Rome', name: 'Ann' }

/** Every call of a table or an account that sends several requests. */
const runs: Readonly<Record<string, (tables: Tables, call: CallOptions) => PromiseLike<unknown>>> =
  {
    'pages of a query': ({ people }, call) => people.query().where({ city: 'Rome' }).toArray(call),
    'a parallel query': ({ people }, call) =>
      people.query().inPartitions(['Rome', 'Oslo']).toArray(call),
    count: ({ people }, call) => people.query().where({ city: 'Rome' }).count(call),
    getMany: ({ people }, call) => people.getMany([n1, ['Rome', 'n2']], call),
    modify: ({ people }, call) =>
      people.modify(
        n1,
        (each) => {
          each.age = 5
        },
        call,
      ),
    insert: ({ people }, call) => people.insert(ann, { ...call, exactWrites: true }),
    deleteIfExists: ({ people }, call) => people.deleteIfExists(n1, { ...call, etag: '*' }),
    batch: ({ people }, call) =>
      people
        .batch()
        .insert(ann)
        .submit({ ...call, exactWrites: true }),
    bulk: ({ people }, call) => people.bulk(call).insertOrReplace([ann]),
    deleteAll: ({ people }, call) => people.query().where({ city: 'Rome' }).deleteAll(call),
    deletePartition: ({ people }, call) => people.deletePartition('Rome', call),
    copyTo: ({ people, account }, call) => people.copyTo(account.table('copies'), call),
    upgradeTable: ({ people }, call) => upgradeTable(people, call),
    sweepMarkers: ({ people }, call) => people.sweepMarkers(call),
    exists: ({ people }, call) => people.exists(call),
    create: ({ people }, call) => people.createIfNotExists({ ...call, waitForDeletion: true }),
    buffered: async ({ people }, call) => {
      const writer = people.buffered({ ...call, maxOperations: 1 })
      for (const name of ['a', 'b', 'c']) await writer.insertOrReplace({ city: 'Rome', name })
      await writer.close()
    },
    'a list of tables': async ({ account }, call) => {
      for await (const _ of account.tables(call));
    },
  }

describe('a policy that never retries', () => {
  const cases = Object.entries(runs).flatMap(([name, run]) => [
    [name, 'requests', run, true] as const,
    [name, 'writes', run, false] as const,
  ])

  it.each(cases)('holds for each request of %s when %s fail', async (_, what, run, forReads) => {
    const { account, people, waits, failed, die } = await dying(forReads)
    waits.length = 0
    die()
    const error = await run({ account, people }, { retry: noRetry }).then(
      () => undefined,
      (thrown: unknown) => thrown ?? null,
    )
    if (what === 'requests') expect(error).toBeInstanceOf(Error)
    // A bulk writer waits 5 ms for more input.
    expect(waits.filter((wait) => wait > 5)).toEqual([])
    expect(new Set(failed).size).toBe(failed.length)
  })
})

describe('a context', () => {
  it.each(Object.entries(runs))('records each request of %s, and no other call', async (_, run) => {
    const { account, people, sent } = await dying(false)
    sent.length = 0
    const context = new OperationContext()
    await run({ account, people }, { context })
    expect(context.attempts.length).toBeGreaterThan(0)
    expect(context.attempts).toHaveLength(sent.length)
    await expect(people.get(n1, { context })).rejects.toMatchObject({
      code: 'InvalidOptionValue',
      message: expect.stringContaining('Make a new OperationContext for each call'),
    })
    expect(context.attempts).toHaveLength(sent.length)
  })
})
