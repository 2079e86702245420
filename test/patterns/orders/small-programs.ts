import { type Account, defineEntity, key } from '@rowkey/mapper'
import { declareIndexes, declareOutbox, memoryQueue, tableQueue, worker } from '@rowkey/patterns'
import { z } from 'zod'
import type { SmallProgram, SmallRun } from './every-order.ts'
import { isLinear, type Meaning } from './linear.ts'
import type { Client, MadeCall } from './small-world.ts'

const employee = z.object({
  department: z.string(),
  id: z.string(),
  email: z.string().optional(),
  salary: z.int().optional(),
})

/** Each program has a model of its own: what is declared with it remembers what the program read. */
const defineStaff = () =>
  defineEntity({
    name: 'staff',
    partitionKey: key`${'department'}`,
    rowKey: key`empid_${'id'}`,
    schema: employee,
  })

const Staff = defineStaff()
const keyOf = (id: string) => ({ department: 'Sales', id })
const ONE = keyOf('1')

/** The salary in the row; `undefined` without a row. */
type Salary = number | undefined

/** The first number of a call. */
const numberIn = (words: string): number => Number(/\d+/.exec(words)?.[0])

/** How inserts and deletes change the row. */
const rowMeaning: Meaning<Salary> = {
  start: undefined,
  apply(row, { words, ending }) {
    const isInsert = words.startsWith('insert')
    const refusal = isInsert ? 'EntityAlreadyExists' : 'ResourceNotFound'
    const isPossible = (row === undefined) === isInsert
    if (ending.kind !== 'failed') return isPossible ? [isInsert ? numberIn(words) : undefined] : []
    return ending.code === refusal && isPossible ? [] : [row]
  },
}

const insert =
  (salary: number) =>
  async ({ account, call }: Client): Promise<void> => {
    await call(`insert({ salary: ${salary} })`, async () => {
      await account.table(Staff).insert({ ...ONE, salary })
    })
  }

const remove = async ({ account, call }: Client): Promise<void> => {
  await call('delete()', () => account.table(Staff).delete(ONE, { etag: '*' }))
}

const createStaff = async (account: Account): Promise<void> => {
  await account.createTable('staff')
}

const insertOnly: SmallProgram = {
  tables: ['staff'],
  exactWrites: true,
  scopes: [
    { clients: 'A', faults: 4, passes: 0 },
    { clients: 'AC', faults: 1, passes: 0 },
    { clients: 'AB', faults: 3, passes: 0 },
    { clients: 'AD', faults: 2, passes: 0 },
    { clients: 'ABC', faults: 1, passes: 0 },
  ],
  prepare: createStaff,
  open: () => ({
    // D inserts the same content as A: the row is a lock.
    clients: { A: insert(1), B: insert(2), C: remove, D: insert(1) },
    async judge(calls, account) {
      const last = (await account.table(Staff).find(ONE))?.salary
      if (isLinear(calls, rowMeaning, (row) => row === last)) return undefined
      return `no order of the calls explains how they ended, and the row of ${last}`
    },
  }),
}

/** Each call that returned was counted once, and those in doubt at most once. */
async function judgeCounter(calls: readonly MadeCall[], account: Account) {
  const { salary } = await account.table(Staff).get(ONE)
  const returned = calls.filter(({ ending }) => ending.kind === 'returned').length
  const doubted = calls.filter(({ ending }) => ending.kind === 'in doubt').length
  if (salary !== undefined && salary >= returned && salary <= returned + doubted) return undefined
  return `${returned} increments returned, ${doubted} are in doubt, and the counter is ${salary}`
}

const counter = (
  increment: (client: Client) => Promise<void>,
  faultsOfThree: number,
): SmallProgram => ({
  tables: ['staff'],
  exactWrites: true,
  scopes: [
    { clients: 'AB', faults: 2, passes: 0 },
    { clients: 'ABC', faults: faultsOfThree, passes: 0 },
  ],
  async prepare(account) {
    await createStaff(account)
    await account.table(Staff).insert({ ...ONE, salary: 0 })
  },
  open: () => ({
    clients: { A: increment, B: increment, C: increment },
    judge: judgeCounter,
  }),
})

const merges = counter(async ({ account, call }) => {
  await call('merge({ salary: get().salary + 1 })', async () => {
    const one = await account.table(Staff).get(ONE)
    one.salary = (one.salary ?? 0) + 1
    await account.table(Staff).merge(one)
  })
}, 1)

const modifies = counter(async ({ account, call }) => {
  await call('modify((one) => { one.salary++ })', async () => {
    await account.table(Staff).modify(ONE, (one) => {
      one.salary = (one.salary ?? 0) + 1
    })
  })
}, 0)

/** Two leases are a long wait, in which another builder looks a few times only: at whole seconds, as it waits for no part of one. */
const LEASE = 3_000

const declareEmail = (model: ReturnType<typeof defineStaff>) =>
  declareIndexes(model, { email: { rowKey: key`${'email'}`, unique: true } }, { lease: LEASE })

/** Opens the table as a program does that declares the index. */
function indexedStaff(account: Account) {
  const model = defineStaff()
  const indexed = declareEmail(model).on(account)
  return { staff: account.table(model), indexed }
}

/** A client that gives a new row the value. */
const claim =
  (id: string, email = 'jones@x') =>
  async ({ account, call }: Client): Promise<void> => {
    const { staff } = indexedStaff(account)
    await call(`insert({ id: '${id}', email: '${email}' })`, async () => {
      await staff.insert({ ...keyOf(id), email })
    })
  }

/** The row that has the value. */
const ownerMeaning: Meaning<string | undefined> = {
  start: undefined,
  apply(owner, { words, ending }) {
    const id = String(numberIn(words))
    const isDelete = words.startsWith('delete')
    if (isDelete)
      return ending.kind === 'failed' && owner !== id ? [owner] : [owner === id ? undefined : owner]
    if (ending.kind !== 'failed') return owner === undefined ? [id] : []
    return ending.code === 'UniqueValueTaken' && owner === undefined ? [] : [owner]
  },
}

async function differencesOf(account: Account): Promise<string | undefined> {
  const { found } = await indexedStaff(account).indexed.verify()
  return found === 0 ? undefined : `the index has ${found} differences`
}

const uniqueValue: SmallProgram = {
  tables: ['staff'],
  exactWrites: false,
  scopes: [
    { clients: 'AB', faults: 2, passes: 0 },
    { clients: 'ABC', faults: 0, passes: 0 },
  ],
  async prepare(account) {
    await createStaff(account)
    const { staff, indexed } = indexedStaff(account)
    await indexed.state('email')
    await staff.insert(keyOf('3'))
  },
  open: () => ({
    clients: {
      A: claim('1'),
      B: claim('2'),
      C: async ({ account, call }) => {
        const { staff } = indexedStaff(account)
        await call(`merge({ id: '3', email: 'jones@x' })`, async () => {
          await staff.merge({ ...keyOf('3'), email: 'jones@x' }, { etag: '*' })
        })
      },
    },
    async judge(calls, account) {
      const rows = await account.table(Staff).query().where({ department: 'Sales' }).toArray()
      const owners = rows.filter(({ email }) => email !== undefined).map(({ id }) => id)
      if (owners.length > 1) return `the value belongs to the rows ${owners.join(' and ')}`
      if (!isLinear(calls, ownerMeaning, (owner) => owner === owners[0])) {
        return `no order of the calls explains how they ended, and the owner ${owners[0]}`
      }
      return differencesOf(account)
    },
  }),
}

/** A client that builds the index. It takes over from another one that has not reported for two seconds. */
const builder = async ({ account, call }: Client): Promise<void> => {
  const { indexed } = indexedStaff(account)
  await call('indexes.build()', async () => {
    await indexed.build({ only: ['email'], takeOverAfter: 2_000 })
  })
}

/** A client that declares another index, and writes two rows within one lease. */
const stranger = async ({ account, call }: Client): Promise<void> => {
  const model = defineStaff()
  const byEmail = { rowKey: key`${'email'}_${'id'}` }
  declareIndexes(model, { byEmail }, { lease: LEASE })
  for (const id of ['4', '5']) {
    await call(`insert({ id: '${id}', email: '${id}@x' })`, async () => {
      await account.table(model).insert({ ...keyOf(id), email: `${id}@x` })
    })
  }
}

/** A client that declares nothing, and that ends before any long wait of another one does. */
const old = async ({ account, call }: Client): Promise<void> => {
  await call('starts', async () => {})
  await call(`insert({ id: '6', email: '6@x' })`, async () => {
    await account.table(Staff).insert({ ...keyOf('6'), email: '6@x' })
  })
}

const build: SmallProgram = {
  tables: ['staff'],
  exactWrites: false,
  scopes: [
    { clients: 'AB', faults: 0, passes: 0 },
    { clients: 'AB', faults: 1, passes: 0 },
    { clients: 'AD', faults: 0, passes: 0 },
    { clients: 'AF', faults: 0, passes: 0 },
    { clients: 'AE', faults: 0, passes: 1 },
    { clients: 'AE', faults: 0, passes: 0, mortal: 'A' },
    { clients: 'AC', faults: 1, passes: 0 },
    { clients: 'ABC', faults: 0, passes: 0 },
  ],
  async prepare(account) {
    await createStaff(account)
    await account.table(Staff).insert({ ...keyOf('3'), email: 'adams@x' })
  },
  open: () => ({
    clients: {
      A: builder,
      B: claim('1'),
      C: async ({ account, call }) => {
        const { staff } = indexedStaff(account)
        await call(`merge({ id: '3', email: 'smith@x' })`, async () => {
          await staff.merge({ ...keyOf('3'), email: 'smith@x' }, { etag: '*' })
        })
      },
      D: stranger,
      E: builder,
      F: old,
    },
    async judge(calls, account) {
      const isBuilt = calls.some(
        ({ words, ending }) => words.startsWith('indexes.build') && ending.kind === 'returned',
      )
      const { indexed } = indexedStaff(account)
      if (isBuilt && (await indexed.state('email')) !== 'readable')
        return 'a build returned, and the index is not readable'
      // Only a program that declares another index, or none, may leave the index wrong.
      const isKept = calls.every(({ client }) => !'DF'.includes(client))
      const isLeft = ({ ending }: MadeCall) =>
        ending.kind === 'failed' && ending.code === 'BuildIncomplete'
      if (isKept && calls.some(isLeft)) return 'a build is incomplete'
      if (!isBuilt) await indexed.build()
      return differencesOf(account)
    },
  }),
}

/** The entries of the index that are stored. */
async function entriesOf(account: Account): Promise<number> {
  const rows = await account.table('staff').query().where({ partitionKey: 'Sales' }).toArray()
  return rows.filter(({ rowKey }) => rowKey.startsWith('~rk~ix~')).length
}

const drop: SmallProgram = {
  tables: ['staff'],
  exactWrites: false,
  scopes: [
    { clients: 'AR', faults: 0, passes: 0 },
    { clients: 'AB', faults: 0, passes: 0 },
    { clients: 'AB', faults: 1, passes: 0 },
    { clients: 'AE', faults: 0, passes: 0 },
    { clients: 'AE', faults: 0, passes: 0, mortal: 'A' },
  ],
  async prepare(account) {
    await createStaff(account)
    const { staff, indexed } = indexedStaff(account)
    await indexed.state('email')
    await staff.insert({ ...keyOf('3'), email: 'adams@x' })
  },
  open: () => ({
    clients: {
      A: async ({ account, call }) => {
        const { indexed } = indexedStaff(account)
        await call('indexes.drop()', () => indexed.drop('email'))
      },
      B: async ({ account, call }) => {
        const { staff } = indexedStaff(account)
        for (const id of ['1', '2']) {
          await call(`insert({ id: '${id}', email: '${id}@x' })`, async () => {
            await staff.insert({ ...keyOf(id), email: `${id}@x` })
          })
        }
      },
      E: builder,
      R: async ({ account, call }) => {
        const { indexed } = indexedStaff(account)
        for (const words of ['find()', 'find() again']) {
          await call(words, async () => {
            const found = await indexed.find('email', { department: 'Sales', email: 'adams@x' })
            return found?.id
          })
        }
      },
    },
    async judge(calls, account) {
      const missed = calls.find(
        ({ words, ending }) =>
          words.startsWith('find') && ending.kind === 'returned' && ending.value !== '3',
      )
      if (missed !== undefined) return `${missed.words} missed the row`
      const { indexed } = indexedStaff(account)
      const isDropped = calls.some(
        ({ words, ending }) => words === 'indexes.drop()' && ending.kind === 'returned',
      )
      const state = await indexed.state('email')
      if (state === 'dropped' && isDropped) {
        const left = await entriesOf(account)
        if (left > 0) return `the index is dropped, and ${left} entries are left`
      }
      if (state !== 'readable') await indexed.build({ only: ['email'] })
      return differencesOf(account)
    },
  }),
}

/** Opens the table as a program does that declares an index of other partitions. */
function farStaff(account: Account) {
  const model = defineStaff()
  const mail = { partitionKey: key`mail_${'email'}`, rowKey: key`${'department'}_${'id'}` }
  // Their jobs are not looked at: a client that follows the messages needs none.
  const queues = { queue: () => memoryQueue('jobs'), deadLetters: () => memoryQueue('dead') }
  const indexed = declareIndexes(model, { mail }, { worker: worker(queues) }).on(account)
  return { staff: account.table(model), indexed }
}

/** A client that changes the value of the row. */
const moves =
  (...emails: readonly string[]) =>
  async ({ account, call }: Client): Promise<void> => {
    const { staff } = farStaff(account)
    for (const email of emails) {
      await call(`merge({ id: '3', email: '${email}' })`, async () => {
        await staff.merge({ ...keyOf('3'), email }, { etag: '*' })
      })
    }
  }

/** A client that follows the messages. */
const follower = async ({ account, call }: Client): Promise<void> => {
  const { indexed } = farStaff(account)
  await call('indexes.refresh()', async () => {
    await indexed.refresh({ department: 'Sales' })
  })
}

const far: SmallProgram = {
  tables: ['staff'],
  exactWrites: false,
  scopes: [
    { clients: 'AB', faults: 0, passes: 0 },
    { clients: 'BC', faults: 1, passes: 0 },
    { clients: 'BAC', faults: 0, passes: 0 },
    { clients: 'BAC', faults: 0, passes: 0, mortal: 'B' },
    { clients: 'RAC', faults: 0, passes: 0 },
  ],
  async prepare(account) {
    await createStaff(account)
    const { staff, indexed } = farStaff(account)
    await indexed.state('mail')
    await staff.insert({ ...keyOf('3'), email: 'adams@x' })
    await indexed.drain()
    await staff.merge({ ...keyOf('3'), email: 'smith@x' }, { etag: '*' })
  },
  open: () => ({
    clients: {
      A: moves('adams@x'),
      B: follower,
      C: follower,
      R: async ({ account, call }) => {
        const { indexed } = farStaff(account)
        await call('indexes.repair()', async () => (await indexed.repair()).found)
      },
    },
    async judge(calls, account) {
      const isFailed = ({ words, ending }: MadeCall) =>
        words === 'indexes.refresh()' && ending.kind === 'failed'
      if (calls.some(isFailed)) return 'a refresh failed'
      const isFinding = ({ words, ending }: MadeCall) =>
        words === 'indexes.repair()' && ending.kind === 'returned' && ending.value !== 0
      if (calls.some(isFinding)) return 'a repair found what a client had still to follow'
      const { staff, indexed } = farStaff(account)
      await indexed.drain()
      // A follower that has died may leave an entry too much, which no query shows.
      const isLeft = calls.filter(({ words }) => words === 'indexes.refresh()').length < 2
      const { email = '' } = await staff.get(keyOf('3'))
      const found = await indexed.query('mail', { email }).toArray()
      if (found.length !== 1) return `the query by ${email} finds ${found.length} rows`
      const { findings } = await indexed.verify()
      const wrong = findings.filter(({ kind }) => kind !== 'dangling' || !isLeft)
      return wrong.length === 0 ? undefined : `the index has ${wrong.length} differences`
    },
  }),
}

/** Opens an outbox as a program does, with the worker that delivers its messages. */
function outboxOf(account: Account, handled: string[]) {
  const model = defineStaff()
  const work = worker({
    queue: () => tableQueue(account, 'jobs', { table: 'queues' }),
    deadLetters: () => tableQueue(account, 'dead', { table: 'queues' }),
    // No handler takes time.
    renewal: (_, signal) =>
      new Promise((resolve) => {
        signal?.addEventListener('abort', () => resolve())
      }),
  })
  declareOutbox(model, {
    messages: ({ after }) => (after === undefined ? [] : [`${after.salary}`]),
    handle: async (message) => void handled.push(message),
    worker: work,
  })
  return { staff: account.table(model), jobs: work.on(account) }
}

const outbox: SmallProgram = {
  tables: ['staff', 'queues'],
  exactWrites: false,
  scopes: [
    { clients: 'ACD', faults: 0, passes: 1 },
    { clients: 'AC', faults: 1, passes: 0 },
    { clients: 'ABC', faults: 0, passes: 0 },
    { clients: 'EC', faults: 0, passes: 0 },
    { clients: 'ECD', faults: 0, passes: 0 },
    { clients: 'ECD', faults: 0, passes: 1, mortal: 'C' },
  ],
  async prepare(account) {
    await createStaff(account)
    await account.createTable('queues')
  },
  open(): SmallRun {
    const handled: string[] = []
    const write =
      (salary: number) =>
      async ({ account, call }: Client): Promise<void> => {
        const { staff } = outboxOf(account, handled)
        await call(`insert({ salary: ${salary} })`, async () => {
          await staff.insert({ ...ONE, salary })
        })
      }
    const work = async ({ account, call }: Client): Promise<void> => {
      const { jobs } = outboxOf(account, handled)
      await call('worker.runOnce()', async () => {
        await jobs.runOnce()
      })
    }
    return {
      clients: {
        A: write(1),
        B: write(2),
        C: work,
        D: work,
        E: async ({ account, call }) => {
          const { staff } = outboxOf(account, handled)
          for (const salary of [1, 2]) {
            await call(`replace({ salary: ${salary} })`, async () => {
              await staff.insertOrReplace({ ...ONE, salary })
            })
          }
        },
      },
      async judge(calls, account) {
        await outboxOf(account, handled).jobs.drain()
        const firsts = [...new Set(handled)]
        const isOrdered = calls.every(({ client }) => client !== 'E') || firsts.join() === '1,2'
        if (!isOrdered) return `the messages 1 and 2 were handled in the order ${firsts}`
        const stored = (await account.table(Staff).find(ONE))?.salary
        const writes = calls.filter(({ words }) => words.startsWith('insert'))
        for (const { words, ending } of writes) {
          const isHandled = handled.includes(`${numberIn(words)}`)
          const isStored = stored === numberIn(words)
          if (isHandled !== isStored)
            return `${words}: stored ${isStored}, and its message handled ${isHandled}`
          if (ending.kind === 'returned' && !isStored) return `${words} returned, and is not stored`
          if (ending.kind === 'failed' && isStored) return `${words} failed, and is stored`
        }
        return undefined
      },
    }
  },
}

const VISIBILITY = 30_000

const queue: SmallProgram = {
  tables: ['queues'],
  exactWrites: false,
  scopes: [
    { clients: 'AB', faults: 0, passes: 1 },
    { clients: 'AB', faults: 1, passes: 0 },
    { clients: 'AB', faults: 1, passes: 1 },
    { clients: 'ABC', faults: 0, passes: 0 },
  ],
  async prepare(account) {
    await account.createTable('queues')
    await tableQueue(account, 'jobs', { table: 'queues' }).send('job')
  },
  open(): SmallRun {
    /** Until when each client has the message. */
    const holders = new Map<Client, number>()
    const wrong: string[] = []
    let deleted = 0
    const hold = (client: Client, until: number): void => {
      const now = client.account.service.now()
      for (const [other, end] of holders) {
        if (other !== client && end > now && until > now)
          wrong.push('two receivers have the message')
      }
      holders.set(client, until)
    }
    const receive = async (client: Client): Promise<void> => {
      const { account, call } = client
      const { now } = account.service
      const jobs = tableQueue(account, 'jobs', { table: 'queues' })
      const received = { count: 1, visibility: VISIBILITY }
      const end = now() + VISIBILITY
      const [message] = (await call('queue.receive()', () => jobs.receive(received))) ?? []
      if (message === undefined) return
      hold(client, end)
      const longer = now() + VISIBILITY
      const kept = await call('queue.extend(message)', () => jobs.extend(message, VISIBILITY))
      if (kept !== undefined) hold(client, longer)
      else if ((holders.get(client) ?? 0) > now())
        wrong.push('a receiver lost the message too early')
      const isDeleted = await call('queue.delete(message)', () => jobs.delete(kept ?? message))
      holders.delete(client)
      if (isDeleted) deleted++
    }
    return {
      clients: { A: receive, B: receive, C: receive },
      async judge(calls, account) {
        const isDoubted = calls.some(
          ({ words, ending }) => words.includes('delete') && ending.kind === 'in doubt',
        )
        const { messages } = await tableQueue(account, 'jobs', { table: 'queues' }).depth()
        // Without a marker, a receiver whose first delete was lost takes the delete of another one for its own.
        const isRight = messages === 1 ? deleted === 0 : deleted > 0 || isDoubted
        if (!isRight) {
          wrong.push(`${deleted} receivers deleted the message, and ${messages} are stored`)
        }
        return wrong[0]
      },
    }
  },
}

/** What three clients do at once. */
export const smallPrograms: Readonly<Record<string, SmallProgram>> = {
  'exact inserts and a delete of one row': insertOnly,
  'exact merges of one counter': merges,
  'modify of one counter': modifies,
  'writes of one unique value': uniqueValue,
  'a build of an index beside writers': build,
  'a drop of an index beside its users': drop,
  'followers of an index of other partitions': far,
  'an outbox and its worker': outbox,
  'receivers of a queue': queue,
}
