import { type Account, defineEntity, key, ModelError } from '@rowkey/mapper'
import { DecodeError, DynamicEntity } from '@rowkey/odata'
import { type DerivedFinding, declareIndexes } from '@rowkey/patterns'
import { startsWith } from '@rowkey/query'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { CASE_STEP } from '../../support/cases-to-play.ts'
import { randomSteps } from '../../support/random-steps.ts'
import { announcedTo } from '../announcing.ts'
import { defineEmployee, jones, office, randomOf } from '../employees.ts'
import { building, program, staffed, workerIn } from './followed-staff.ts'

const all = async <Item>(items: AsyncIterable<Item>) => {
  const found: Item[] = []
  for await (const item of items) found.push(item)
  return found
}

/** Counts the entries in the table of lookups. */
const lookups = (account: Account) =>
  account
    .table('lookups')
    .query()
    .where({ rowKey: startsWith('~rk~ix~empid_~email.') })
    .allowTableScan()
    .count()

/** A model whose RowKeys have no beginning of their own. */
const member = () =>
  defineEntity({
    name: 'staff',
    partitionKey: key`${'team'}`,
    rowKey: key`${'id'}`,
    schema: z.object({ team: z.string(), id: z.string(), mail: z.string().optional() }),
  })

describe('an index with a partitionKey', () => {
  it('R-147: follows inserts, changes and deletes, in other tables and partitions', async () => {
    const { main } = await staffed()
    const { employees, indexed, jobs } = main
    const email = (text: string) => all(indexed.query('email', { email: text }))
    const employee = await employees.insert({ ...jones })
    await jobs.drain()
    expect(await email('jonesj@contoso.com')).toMatchObject([{ department: 'Sales', id: 223 }])
    employee.email = 'jon@contoso.com'
    employee.lastName = 'Jonas'
    await employees.merge(employee)
    await jobs.drain()
    expect(await email('jonesj@contoso.com')).toEqual([])
    expect(await email('jon@contoso.com')).toHaveLength(1)
    expect(await all(indexed.query('lastName', { lastName: 'Jonas' }))).toHaveLength(1)
    await employees.delete(employee)
    await jobs.drain()
    expect(await email('jon@contoso.com')).toEqual([])
    expect(await lookups(main.account)).toBe(0)
    expect(await indexed.verify()).toMatchObject({ rows: 0, kept: 0, found: 0 })
  })

  it('R-147: a reader can ask for its own write', async () => {
    const { main } = await staffed()
    const { employees, indexed, jobs } = main
    const written = await employees.insert({ ...jones })
    expect(await all(indexed.query('email', { email: jones.email }))).toEqual([])
    expect(await indexed.refresh(written)).toBe(1)
    expect(await all(indexed.query('email', { email: jones.email }))).toHaveLength(1)
    expect(await indexed.refresh(written)).toBe(0)
    await jobs.drain()
    expect(await indexed.verify()).toMatchObject({ rows: 1, kept: 2, found: 0 })
  })

  it('R-147: refresh and drain follow a write that a worker failed to follow, or throw', async () => {
    const { open, transport } = await staffed()
    let isDown = false
    const { employees, indexed, jobs } = program(
      open(async (request, limits) => {
        if (isDown && request.path.includes('lookups')) throw new Error('The table is down.')
        return transport(request, limits)
      }),
    )
    const found = () => indexed.query('email', { email: jones.email }).count()
    for (const bring of [() => indexed.refresh(jones), () => indexed.drain()]) {
      await employees.insertOrReplace({ ...jones, email: 'old@contoso.com' })
      await jobs.drain()
      await employees.insertOrReplace({ ...jones })
      isDown = true
      await jobs.runOnce()
      await expect(bring()).rejects.toMatchObject({ code: 'TransportFailed' })
      isDown = false
      expect(await found()).toBe(0)
      expect(await bring()).toBe(1)
      expect(await found()).toBe(1)
    }
  })

  it('a worker of another declaration leaves a message to the right one, however often it gets it', async () => {
    const { clock, open, transport } = building()
    const start = (revision: number) => {
      const account = open(transport)
      const Employee = defineEmployee()
      const keys = { partitionKey: key`${'email'}`, rowKey: key`${'department'}_${'id:6'}` }
      const work = workerIn('queues')
      const email = { ...keys, revision }
      const indexed = declareIndexes(Employee, { email }, { worker: work }).on(account)
      return { account, Employee, indexed, jobs: work.on(account) }
    }
    const [earlier, later] = [start(1), start(2)]
    await later.account.createTable('employees')
    await later.account.createTable('queues')
    await later.indexed.state('email')
    await later.account.table(later.Employee).insert({ ...jones })
    for (let times = 0; times < 8; times++) {
      await earlier.jobs.runOnce()
      clock.now += 600_000
    }
    expect(await earlier.jobs.deadLetters()).toEqual([])
    for (const bring of [() => earlier.indexed.refresh(jones), () => earlier.indexed.drain()]) {
      await expect(bring()).rejects.toMatchObject({ code: 'UndeclaredDefinition' })
    }
    await later.jobs.runOnce()
    expect(await later.indexed.query('email', { email: jones.email }).count()).toBe(1)
  })

  it('a worker leaves a message about an index that it does not declare, also while that is built', async () => {
    const { clock, open, openDying, transport } = building()
    const start = (names: readonly ('mail' | 'name')[], account = open(transport)) => {
      const Employee = defineEmployee()
      const rowKey = key`${'department'}_${'id:6'}`
      const all = {
        mail: { partitionKey: key`${'email'}`, rowKey },
        name: { partitionKey: key`${'lastName'}`, rowKey },
      }
      const own = Object.fromEntries(names.map((name) => [name, all[name]]))
      const indexes = declareIndexes(Employee, own as typeof all, { worker: workerIn('queues') })
      return { account, Employee, indexed: indexes.on(account) }
    }
    const [earlier, later] = [start(['mail']), start(['mail', 'name'])]
    await earlier.account.createTable('employees')
    await earlier.account.createTable('queues')
    await earlier.account.table(earlier.Employee).insert({ ...jones, id: 1 })
    await earlier.indexed.refresh(jones)
    const dying = start(['mail', 'name'], openDying(5, 'before'))
    await expect(dying.indexed.build()).rejects.toThrow()
    clock.now += 10_000
    await later.account.table(later.Employee).insert({ ...jones })
    await expect(earlier.indexed.refresh(jones)).rejects.toMatchObject({
      code: 'UndeclaredDefinition',
    })
    expect(await later.indexed.refresh(jones)).toBe(1)
  })

  it('keeps entries in a table of Cosmos DB whose name differs in its case from that of the rows', async () => {
    const { account } = office('cosmos')
    const Member = member()
    const keys = { partitionKey: key`${'mail'}`, rowKey: key`${'team'}_${'id'}` }
    const mail = { ...keys, table: 'lookups' }
    declareIndexes(Member, { mail }, { worker: announcedTo().worker })
    const members = account.table(Member, 'Lookups')
    await members.create()
    await account.createTable('lookups')
    await members.insert({ team: 'a', id: 'mail_a', mail: 'x' })
    expect(await members.query().where({ team: 'a' }).count()).toBe(1)
  })

  it.each([
    ['cosmos', '', 'Index mail of staff: PartitionKey must not be empty on Cosmos DB.'],
    ['storage', 'a/b', 'Index mail of staff: PartitionKey must not contain /'],
  ] as const)('rejects a value that no entry can have, on %s', async (flavour, mail, message) => {
    const { account } = office(flavour)
    const Member = member()
    const keys = { partitionKey: key`${'mail'}`, rowKey: key`${'team'}_${'id'}` }
    declareIndexes(Member, { mail: keys }, { worker: announcedTo().worker })
    const members = account.table(Member)
    await members.create()
    const writing = members.insert({ team: 'a', id: 'x', mail })
    await expect(writing).rejects.toThrow(message)
    expect(await members.query().where({ team: 'a' }).count()).toBe(0)
  })

  it('reports a row whose entry Cosmos DB cannot store, and lets a program mend it', async () => {
    const { account } = office('cosmos')
    const Member = member()
    const keys = { partitionKey: key`${'mail'}`, rowKey: key`${'team'}_${'id'}` }
    const declared = declareIndexes(Member, { mail: keys }, { worker: announcedTo().worker })
    const indexed = declared.on(account)
    const members = account.table(Member)
    await members.create()
    await account.table('staff').insert(new DynamicEntity('a', 'x', { mail: '' }))
    expect((await indexed.verify()).findings).toMatchObject([{ kind: 'unreadable' }])
    await members.merge({ team: 'a', id: 'x', mail: 'x@y' }, { etag: '*' })
    await indexed.build()
    expect(await indexed.drain()).toBe(1)
    expect(await indexed.query('mail', { mail: 'x@y' }).count()).toBe(1)
  })

  it('finds a Guid that is the PartitionKey of its entry in upper case, too', async () => {
    const { account } = office()
    const Ticket = defineEntity({
      name: 'tickets',
      partitionKey: key`${'team'}`,
      rowKey: key`ticket_${'id'}`,
      schema: z.object({ team: z.string(), id: z.string(), ref: z.uuid() }),
    })
    const keys = { partitionKey: key`${'ref'}`, rowKey: key`${'team'}_${'id'}` }
    const declared = declareIndexes(Ticket, { ref: keys }, { worker: announcedTo().worker })
    const indexed = declared.on(account)
    await account.table(Ticket).create()
    const ref = 'ABCDEF00-0000-4000-8000-00000000000A'
    const ticket = await account.table(Ticket).insert({ team: 'a', id: '1', ref })
    await indexed.refresh(ticket)
    expect(await indexed.query('ref', { ref }).count()).toBe(1)
  })

  it('a read never gives an entity that left the value', async () => {
    const { main } = await staffed()
    await main.employees.insert({ ...jones })
    await main.indexed.refresh(jones)
    await main.employees.modify({ department: 'Sales', id: 223 }, (employee) => {
      employee.email = 'new@contoso.com'
    })
    expect(await all(main.indexed.query('email', { email: jones.email }))).toEqual([])
  })

  it('select reads the property that is the PartitionKey of the entries', async () => {
    const { main } = await staffed()
    await main.employees.insert({ ...jones })
    await main.indexed.refresh(jones)
    const { email } = jones
    expect(await main.indexed.query('email', { email }).select('email').first()).toMatchObject({
      email,
    })
  })

  it('copies have the projection, by one request', async () => {
    const { main } = await staffed()
    await main.employees.insert({ ...jones })
    await main.indexed.refresh(jones)
    const copies = await main.indexed.copies('lastName')
    expect(await copies.where({ lastName: 'Jones' }).toArray()).toMatchObject([
      { department: 'Sales', id: 223, firstName: 'Jon' },
    ])
  })

  it('queries of the table never read entries or messages', async () => {
    const { main } = await staffed()
    await main.employees.insert({ ...jones })
    await main.indexed.refresh(jones)
    expect(await main.employees.query().allowTableScan().count()).toBe(1)
    await main.employees.insert({ ...jones, id: 224 })
    expect(await main.employees.query().allowTableScan().count()).toBe(2)
  })

  it('a merge of a property that no index has announces nothing', async () => {
    const { main } = await staffed()
    const employee = await main.employees.insert({ ...jones })
    await main.jobs.drain()
    employee.age = 50
    await main.employees.merge(employee)
    expect(await main.jobs.drain()).toMatchObject({ done: 0 })
  })

  it('rejects a declaration without a worker, and options that do not go with a partitionKey', () => {
    const keys = { partitionKey: key`${'email'}`, rowKey: key`${'department'}_${'id:6'}` }
    const { worker } = announcedTo()
    const declare = (mail: object, options?: object) => () =>
      declareIndexes(defineEmployee(), { mail: mail as typeof keys }, options)
    expect(declare(keys)).toThrow(
      'Index mail of employees has a partitionKey, so a worker writes its entries, and it has none. Declare it with declareIndexes(…, { worker }).',
    )
    expect(declare({ ...keys, unique: true }, { worker })).toThrow('Remove unique or partitionKey')
    expect(declare({ ...keys, automatic: true }, { worker })).toThrow('Remove automatic or')
    const { rowKey } = keys
    expect(declare({ rowKey, table: 'lookups' }, { worker })).toThrow('Remove table, or add')
    const Employee = defineEmployee()
    declareIndexes(Employee, { mail: keys }, { worker })
    expect(() => declareIndexes(Employee, { other: keys }, { worker })).toThrow(
      'declare all indexes with a partitionKey in one call',
    )
  })

  it.each([
    [
      'keys that two entities can share',
      { partitionKey: key`${'email'}`, rowKey: key`email_${'id:6'}` },
    ],
    [
      'an unknown property',
      { partitionKey: key`${'nothing'}`, rowKey: key`x_${'department'}_${'id:6'}` },
    ],
  ])('rejects %s', (_, index) => {
    const declare = () =>
      declareIndexes(defineEmployee(), { index }, { worker: announcedTo().worker })
    expect(declare).toThrow(ModelError)
  })

  it('reads are rejected before the index is built', async () => {
    const { open, transport } = building()
    const { employees, indexed } = program(open(transport))
    await employees.create()
    await open(transport).table(defineEmployee()).insert(jones)
    await expect(all(indexed.query('email', { email: 'a' }))).rejects.toMatchObject({
      code: 'NotReadable',
    })
  })
})

describe('a program that dies', () => {
  it.each(['before', 'after'] as const)(
    'R-147: leaves no entry missing or left over, whichever of its requests a writer dies %s',
    async (dies) => {
      for (let at = 1; at < 30; at += CASE_STEP) {
        const { main, openDying } = await staffed()
        await main.employees.insert({ ...jones, id: 1, email: 'old@contoso.com' })
        await main.jobs.drain()
        const writer = program(openDying(at, dies))
        const isDone = await writing(writer)
        await main.jobs.drain()
        expect(await main.indexed.verify(), `died ${dies} ${at}`).toMatchObject({ found: 0 })
        if (isDone) return
      }
      expect.fail('the writer never ended')
    },
  )

  it.each(['before', 'after'] as const)(
    'R-147: leaves no entry missing or left over, whichever of its requests a worker dies %s',
    async (dies) => {
      for (let at = 1; at < 80; at += CASE_STEP) {
        const { main, openDying } = await staffed()
        await writing(main)
        const worker = program(openDying(at, dies))
        const isDone = await worker.jobs.runOnce().then(
          () => true,
          () => false,
        )
        await main.jobs.drain()
        expect(await main.indexed.verify(), `died ${dies} ${at}`).toMatchObject({ found: 0 })
        expect(await lookups(main.account)).toBe(1)
        if (isDone) return
      }
      expect.fail('the worker never ended')
    },
  )

  /** A change of one employee and a delete of another. */
  async function writing({ employees }: ReturnType<typeof program>): Promise<boolean> {
    try {
      await employees.insertOrReplace({ ...jones, id: 1, email: 'new@contoso.com' })
      await employees.insertOrReplace({ ...jones, id: 2, email: 'two@contoso.com' })
      await employees.deleteIfExists({ department: 'Sales', id: 2 }, { etag: '*' })
      return true
    } catch {
      return false
    }
  }
})

describe('verify, repair and build', () => {
  it('R-147: build indexes of a table that has rows, by one of several programs', async () => {
    const { open, transport } = building()
    const old = open(transport).table(defineEmployee())
    await old.create()
    for (const name of ['lookups', 'queues']) await open(transport).createTable(name)
    for (let id = 1; id <= 12; id++) await old.insert({ ...jones, id, email: `${id}@contoso.com` })
    const programs = [1, 2].map(() => program(open(transport)))
    const builds = await Promise.all(programs.map(({ indexed }) => indexed.build()))
    expect(builds.map(({ rows }) => rows).sort()).toEqual([0, 12])
    const [{ indexed } = program(open(transport))] = programs
    expect(await all(indexed.query('email', { email: '3@contoso.com' }))).toHaveLength(1)
    expect(await indexed.verify()).toMatchObject({ rows: 12, kept: 24, found: 0 })
  })

  it('R-147: build leaves indexes unreadable while a program without them still writes', async () => {
    const { account, rival, asleep } = office()
    const old = rival().table(defineEmployee())
    await old.create()
    await old.insert({ ...jones })
    const mail = { partitionKey: key`${'email'}`, rowKey: key`${'department'}_${'id:6'}` }
    const options = { worker: announcedTo().worker }
    const indexed = declareIndexes(defineEmployee(), { mail }, options).on(account)
    asleep(() => old.insert({ ...jones, id: 1 }))
    await expect(indexed.build()).rejects.toMatchObject({ code: 'BuildIncomplete' })
    expect(await indexed.state('mail')).toBe('building')
    await indexed.build()
    expect(await indexed.query('mail', { email: jones.email }).count()).toBe(2)
  })

  it('R-147: find and repair what a program without the index left behind', async () => {
    const { main, open, transport } = await staffed()
    const old = open(transport).table(defineEmployee())
    for (let id = 1; id <= 3; id++) {
      await main.employees.insert({ ...jones, id, email: `${id}@contoso.com` })
    }
    await main.jobs.drain()
    await old.delete({ department: 'Sales', id: 1 }, { etag: '*' })
    await old.merge({ ...jones, id: 2, email: 'new@contoso.com' }, { etag: '*' })
    const found: DerivedFinding[] = []
    await main.indexed.verify({ onFinding: (each) => found.push(each) })
    expect(found.map(({ name, kind, row }) => `${name} ${kind} ${row?.rowKey}`).sort()).toEqual([
      'email dangling empid_000001',
      'email dangling empid_000002',
      'email missing empid_000002',
      'lastName dangling empid_000001',
    ])
    expect(await main.indexed.repair()).toMatchObject({ repaired: 4 })
    expect(await main.indexed.verify()).toMatchObject({ rows: 2, kept: 4, found: 0 })
  })

  it('report a row that the model cannot read, and keep its entries', async () => {
    const { main } = await staffed()
    await main.employees.insert({ ...jones })
    await main.employees.insert({ ...jones, id: 1 })
    await main.jobs.drain()
    const old = new DynamicEntity('Sales', 'empid_000223', { firstName: 'Jon', age: 'old' })
    await main.account.table('employees').replace(old, { etag: '*' })
    const found: DerivedFinding[] = []
    const progress = await main.indexed.repair({ onFinding: (each) => found.push(each) })
    expect(progress).toMatchObject({ rows: 2, kept: 4, found: 2, repaired: 0 })
    expect(found.map(({ kind, row, error }) => [kind, row?.rowKey, error?.constructor])).toEqual([
      ['unreadable', 'empid_000223', DecodeError],
      ['unreadable', 'empid_000223', DecodeError],
    ])
  })

  it('a row that another program made unreadable does not stop the messages of other rows', async () => {
    const { main } = await staffed()
    await main.employees.insert({ ...jones })
    await main.employees.insert({ ...jones, id: 224, email: 'b@contoso.com' })
    const rows = main.account.table('employees')
    await rows.merge((await rows.get(['Sales', 'empid_000223'])).set('age', 'old'))
    expect(await main.jobs.drain()).toMatchObject({ failed: 0, dead: 0 })
    expect(await main.indexed.verify()).toMatchObject({ kept: 2, found: 2 })
  })

  it('drain follows writes whose announcement was lost', async () => {
    const { main } = await staffed()
    await main.employees.insert({ ...jones })
    const queue = await main.account.table('queues').query().allowTableScan().toArray()
    for (const row of queue) await main.account.table('queues').delete(row, { etag: '*' })
    expect(await main.indexes.on(main.account).drain()).toBe(1)
    expect(await main.indexed.verify()).toMatchObject({ kept: 2, found: 0 })
  })
})

describe('random writers and workers', () => {
  /** How many rounds of each seed are played: all, or those of the only seed that is left. */
  const rounds = Math.min(30, randomSteps(6 * 30))

  it.each([1, 2, 3, 4, 5, 6].slice(0, randomSteps(6)))(
    'R-147: end with every entry right, with requests and responses that are late or get lost: seed %i',
    async (seed) => {
      const random = randomOf(seed)
      const { main, clock, open, transport } = await staffed()
      let late: { readonly at: number; readonly deliver: () => Promise<unknown> }[] = []
      const arrive = async () => {
        const due = late.filter(({ at }) => at <= clock.now)
        late = late.filter((each) => !due.includes(each))
        for (const { deliver } of due) await deliver()
      }
      const faulty = () =>
        program(
          open(async (request, limits) => {
            for (let turns = random(4); turns > 0; turns--) await Promise.resolve()
            await arrive()
            if (random(25) === 0) {
              const at = clock.now + random(9_000)
              if (random(2) === 0) late.push({ at, deliver: () => transport(request, limits) })
              throw new Error('lost request')
            }
            const response = await transport(request, limits)
            if (random(25) === 0) throw new Error('lost response')
            return response
          }),
        )
      const name = () => String.fromCharCode(97 + random(4))
      const write = async ({ employees }: ReturnType<typeof program>) => {
        const target = { department: name(), id: 1 + random(3) }
        const one = { ...jones, ...target, lastName: name(), email: `${name()}@x` }
        if (random(4) === 0) return employees.deleteIfExists(target, { etag: '*' })
        return employees.insertOrReplace(one)
      }
      const programs = [faulty(), faulty(), faulty()]
      for (let round = 0; round < rounds; round++) {
        clock.now += random(3_000)
        await Promise.all(
          programs.map((each) =>
            Promise.all([
              write(each).catch(() => undefined),
              each.jobs.runOnce().catch(() => undefined),
              each.indexed.refresh({ department: name() }).catch(() => undefined),
            ]),
          ),
        )
      }
      clock.now += 10_000
      await arrive()
      await main.jobs.retryDead()
      await main.jobs.drain()
      const progress = await main.indexed.verify()
      expect(progress).toMatchObject({ found: 0 })
      expect(progress.rows).toBeGreaterThan(1)
    },
  )
})

describe('the entries of a table in the same one', () => {
  it.each(['employees', 'Employees'])('may name it: %s', async (table) => {
    const { account } = office()
    await account.createTable('employees')
    const Employee = defineEmployee()
    const rowKey = key`${'department'}_${'id:6'}`
    const by = { partitionKey: key`${'email'}`, rowKey, table }
    const indexes = declareIndexes(Employee, { by }, { worker: announcedTo().worker })
    await account.table(Employee).insert({ ...jones })
    const indexed = indexes.on(account)
    await indexed.build()
    await indexed.drain()
    expect(await indexed.query('by', { email: jones.email }).count()).toBe(1)
    await indexed.drop('by')
    expect(await account.table(table).query().where({ partitionKey: jones.email }).count()).toBe(0)
  })
})

describe('the entries of two tables in a third one', () => {
  const declare = () => {
    const Employee = defineEmployee()
    const partitionKey = key`${'email'}`
    const by = { rowKey: key`${'department'}_${'id:6'}`, partitionKey, table: 'lookups' }
    const options = { worker: announcedTo().worker }
    return { Employee, indexes: declareIndexes(Employee, { by }, options) }
  }

  async function twoTables() {
    const { account, over, rival } = office()
    for (const name of ['employees', 'retired', 'lookups']) await account.createTable(name)
    const { Employee, indexes } = declare()
    const [indexed, retired] = ['employees', 'retired'].map((name) => indexes.on(account, { name }))
    for (const name of ['employees', 'retired']) {
      await account.table(Employee, { name }).insert({ ...jones })
      await indexes.on(account, { name }).drain()
    }
    if (indexed === undefined || retired === undefined) throw new TypeError('no tables')
    return { account, Employee, indexed, retired, over, rival }
  }

  it('lie side by side: neither a repair nor a drop of the one changes those of the other', async () => {
    const { account, indexed, retired } = await twoTables()
    expect(await account.table('lookups').query().allowTableScan().count()).toBe(2)
    for (const each of [indexed, retired]) {
      expect(await each.repair()).toMatchObject({ rows: 1, kept: 1, found: 0 })
      expect(await each.query('by', { email: jones.email }).count()).toBe(1)
    }
    await indexed.drop('by')
    expect(await retired.verify()).toMatchObject({ rows: 1, kept: 1, found: 0 })
    expect(await account.table('lookups').query().allowTableScan().count()).toBe(1)
  })

  it('are not those of a copy of the table, which has the row of its catalogue', async () => {
    const { account, indexed } = await twoTables()
    await account.createTable('copied')
    await account.table('employees').query().allowTableScan().copyTo(account.table('copied'))
    const copied = declare().indexes.on(account, { name: 'copied' })
    expect(await copied.state('by')).toBe('building')
    await copied.build()
    expect(await copied.query('by', { email: jones.email }).count()).toBe(1)
    expect(await indexed.query('by', { email: jones.email }).count()).toBe(1)
  })

  it('are not made by a delivery that takes longer than the drop of the index', async () => {
    const { account, Employee, over, rival } = await twoTables()
    const employees = account.table(Employee)
    for (const id of [1, 2]) await employees.insert({ ...jones, id, email: `${id}@x` })
    let isDropped = false
    const worker = over((service) => async (request, limits) => {
      if (!isDropped && request.method === 'POST' && request.path.includes('lookups')) {
        isDropped = true
        await declare().indexes.on(rival()).drop('by')
      }
      return service(request, limits)
    })
    await declare().indexes.on(worker).refresh(jones)
    expect(isDropped).toBe(true)
    const left = await account.table('lookups').query().allowTableScan().toArray()
    expect(left.filter(({ rowKey }) => rowKey.endsWith('000002'))).toEqual([])
  })
})
