import { key } from '@rowkey/mapper'
import { declareCopies, declareIndexes, declareSummaries } from '@rowkey/patterns'
import { defineEntity } from 'rowkey'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { defineEmployee, jones, office } from '../employees.ts'

const smith = { ...jones, id: 7, lastName: 'Smith', email: 'smith@contoso.com' }
const lastName = { rowKey: key`${'lastName'}_${'id:6'}` }
const email = { rowKey: key`${'email'}`, unique: true } as const
const age = { rowKey: key`${'age:3'}_${'id:6'}` }
const staff = { rowKey: key`all`, sums: ['age'] } as const

/** The indexes of a program that declares one by age. */
interface OldIndexes {
  query(index: 'age', where: object): { toArray(): Promise<unknown> }
  state(index: 'age'): Promise<unknown>
}

/** A department that holds the name of its manager. */
function defineDepartment() {
  return defineEntity({
    name: 'employees',
    partitionKey: key`${'department'}`,
    rowKey: key`department`,
    schema: z.object({
      department: z.string(),
      managerId: z.number().int().optional(),
      managerName: z.string().optional(),
    }),
  })
}

function copiesOf(Employee: ReturnType<typeof defineEmployee>, Department = defineDepartment()) {
  const copies = declareCopies(Employee, Department, {
    fields: { managerName: 'lastName' },
    source: ({ department, managerId: id }) => (id === undefined ? undefined : { department, id }),
    holders: ({ department }) => [{ department }],
  })
  return { copies, Department }
}

/** Kinds of what is derived, declared by the next program; each with a read that must not miss what the old program wrote. */
const kinds = {
  index(opened: ReturnType<typeof office>) {
    const Next = defineEmployee()
    const indexed = declareIndexes(Next, { lastName }).on(opened.account)
    const read = async () =>
      (await indexed.query('lastName', { department: 'Sales' }).toArray()).map(({ id }) => id)
    return { Next, life: { ...lifeOf(indexed, 'lastName') }, read, right: [223, 7] }
  },
  summary(opened: ReturnType<typeof office>) {
    const Next = defineEmployee()
    const summaries = declareSummaries(Next, { staff }).on(opened.account)
    const read = async () => (await summaries.get('staff', { department: 'Sales' })).count
    return { Next, life: lifeOf(summaries, 'staff'), read, right: 2 }
  },
} as const

function lifeOf(
  table: { state(name: never): Promise<unknown>; build(): Promise<unknown> },
  name: string,
) {
  return { state: () => table.state(name as never), build: () => table.build() }
}

describe.each(['index', 'summary'] as const)(
  'a new %s, while an old program declares nothing',
  (kind) => {
    it('starting the new program never makes it readable over rows that exist', async () => {
      const opened = office()
      const old = opened.rival().table(defineEmployee())
      await old.create()
      await old.insert(jones)
      const { life, read } = kinds[kind](opened)
      expect(await life.state()).toBe('building')
      await old.insert(smith)
      await expect(read()).rejects.toMatchObject({ code: 'NotReadable' })
      await expect(read()).rejects.toThrow('Call build once')
    })

    it('the queries of the new program find all rows before, during and after a build', async () => {
      const opened = office()
      const old = opened.rival().table(defineEmployee())
      await old.create()
      await old.insert(jones)
      const { Next, life } = kinds[kind](opened)
      const fresh = opened.account.table(Next)
      await life.state()
      await old.insert({ ...smith, lastName: 'Jones' })
      const query = fresh.query().where({ department: 'Sales', lastName: 'Jones' })
      expect(await query.toArray()).toHaveLength(2)
      await life.build()
      expect(await query.toArray()).toHaveLength(2)
    })

    it('build leaves it unreadable and names the rows while the old program still writes', async () => {
      const opened = office()
      const old = opened.rival().table(defineEmployee())
      await old.create()
      await old.insert(jones)
      const { life, read, right } = kinds[kind](opened)
      // The old program writes while build waits for its last look.
      opened.asleep(() => old.insert(smith))
      await expect(life.build()).rejects.toMatchObject({ code: 'BuildIncomplete' })
      expect(await life.state()).toBe('building')
      await expect(read()).rejects.toMatchObject({ code: 'NotReadable' })
      // The old program has ended.
      await life.build()
      expect(await life.state()).toBe('readable')
      expect(await read()).toEqual(right)
    })

    it('a table without rows has it at once', async () => {
      const opened = office()
      const { Next, life, read, right } = kinds[kind](opened)
      const fresh = opened.account.table(Next)
      await fresh.create()
      expect(await life.state()).toBe('readable')
      await fresh.insert(jones)
      await fresh.insert(smith)
      expect(await read()).toEqual(right)
    })
  },
)

describe('a new unique index', () => {
  it('two rows of an old program that share a value keep it unreadable', async () => {
    const opened = office()
    const old = opened.rival().table(defineEmployee())
    await old.create()
    await old.insert(jones)
    const indexed = declareIndexes(defineEmployee(), { email }).on(opened.account)
    opened.asleep(() => old.insert({ ...smith, email: jones.email }))
    await expect(indexed.build()).rejects.toThrow('Several entities share a value')
    expect(await indexed.state('email')).toBe('building')
  })
})

describe('two new indexes', () => {
  it('stay unreadable both while an old program writes, also the one that its write left right', async () => {
    const opened = office()
    const old = opened.rival().table(defineEmployee())
    await old.create()
    await old.insert(jones)
    const indexed = declareIndexes(defineEmployee(), { email, lastName }).on(opened.account)
    opened.asleep(() => old.merge({ ...jones, email: 'jon@contoso.com' }, { etag: '*' }))
    const build = indexed.build()
    await expect(build).rejects.toThrow('index email of employees, index lastName of employees')
    const states = () => Promise.all([indexed.state('email'), indexed.state('lastName')])
    expect(await states()).toEqual(['building', 'building'])
    await old.insert(smith)
    await indexed.build()
    expect(await states()).toEqual(['readable', 'readable'])
    expect(await indexed.query('lastName', { department: 'Sales' }).count()).toBe(2)
  })
})

describe('new copies, while an old program declares nothing', () => {
  it('build leaves them unreadable while the old program changes sources', async () => {
    const opened = office()
    const old = opened.rival().table(defineEmployee())
    await old.create()
    await old.insert(jones)
    const { copies, Department } = copiesOf(defineEmployee())
    const departments = opened.account.table(Department)
    const held = copies.on(opened.account)
    expect(await held.state()).toBe('building')
    const sales = { department: 'Sales', managerId: 223, managerName: 'Jones' }
    await departments.insert(sales)
    opened.asleep(() => old.merge({ ...jones, lastName: 'Smith' }, { etag: '*' }))
    await expect(held.build()).rejects.toMatchObject({ code: 'BuildIncomplete' })
    expect(await held.state()).toBe('building')
    await held.build()
    expect(await held.state()).toBe('readable')
    expect(await departments.get({ department: 'Sales' })).toMatchObject({ managerName: 'Smith' })
  })
})

describe('copies that are built', () => {
  it('let no program write sources or holders that declares something else, until they are dropped', async () => {
    const opened = office()
    const old = opened.account.table(defineDepartment())
    await old.create()
    await old.insert({ department: 'Sales' })
    await opened.account.table(defineEmployee()).insert({ ...jones, id: 1 })
    const { Department, copies } = copiesOf(defineEmployee())
    const departments = opened.account.table(Department)
    const held = copies.on(opened.account)
    await held.build()
    const [Employee, Holder] = [defineEmployee(), defineDepartment()]
    declareIndexes(Employee, { lastName })
    declareIndexes(Holder, { manager: { rowKey: key`${'managerName'}` } })
    const other = opened.rival()
    const sales = { department: 'Sales', managerName: 'Smith' }
    const merge = () => other.table(Holder).merge(sales, { etag: '*' })
    const undeclared = { code: 'UndeclaredDefinition' }
    await expect(other.table(Employee).insert(jones)).rejects.toMatchObject(undeclared)
    await expect(merge()).rejects.toMatchObject(undeclared)
    await held.drop()
    opened.now += 10_000
    await other.table(Employee).insert(jones)
    await merge()
    expect(await departments.get({ department: 'Sales' })).toMatchObject(sales)
  })
})

describe('an index that is built', () => {
  it('lets no program change its values that declares something else, which the change leaves as it is', async () => {
    const opened = office()
    const old = opened.account.table(defineEmployee())
    await old.create()
    await old.insert(jones)
    await declareIndexes(defineEmployee(), { lastName }).on(opened.account).build()
    const Other = defineEmployee()
    declareIndexes(Other, { email })
    const other = opened.rival().table(Other)
    const { email: _, ...unchanged } = jones
    const merge = other.merge({ ...unchanged, lastName: 'Smith' }, { etag: '*' })
    await expect(merge).rejects.toMatchObject({ code: 'UndeclaredDefinition' })
  })
})

describe('a program that does not declare an index that is built', () => {
  it.each([
    ['it writes', () => undefined],
    [
      'it has read by an index of its own',
      (indexed: OldIndexes) => indexed.query('age', { department: 'Sales' }).toArray(),
    ],
    ['it has asked for a state', (indexed: OldIndexes) => indexed.state('age')],
  ])('cannot change its values, as often as it tries, when %s', async (_, act) => {
    const opened = office()
    const [Old, New] = [defineEmployee(), defineEmployee()]
    const own = declareIndexes(Old, { age })
    const indexes = declareIndexes(New, { age, lastName })
    const old = opened.account.table(Old)
    await old.create()
    const read = await old.insert({ ...jones })
    await indexes.on(opened.rival()).build()
    await act(own.on(opened.account))
    read.lastName = 'Smith'
    const undeclared = { code: 'UndeclaredDefinition' }
    for (const attempt of [1, 2, 3]) {
      await expect(old.merge(read), String(attempt)).rejects.toMatchObject(undeclared)
    }
    expect(await indexes.on(opened.rival()).verify()).toMatchObject({ found: 0 })
  })
})

describe('a changed declaration', () => {
  it('a program that declares another index of the name cannot write, and the error names the steps', async () => {
    const opened = office()
    const employees = opened.account.table(defineEmployee())
    await employees.create()
    const Old = defineEmployee()
    declareIndexes(Old, { lastName })
    await opened.account.table(Old).insert(jones)
    const Next = defineEmployee()
    const changed = declareIndexes(Next, { lastName: { ...lastName, project: ['firstName'] } })
    const write = opened.rival().table(Next).insert(smith)
    await expect(write).rejects.toMatchObject({ code: 'UndeclaredDefinition' })
    await expect(write).rejects.toThrow('Declare both, under two names; build the new one')
    expect(await changed.on(opened.account).state('lastName')).toBe('building')
  })

  it('programs never miss a row on the way from one declaration to another', async () => {
    const opened = office()
    await opened.account.table(defineEmployee()).create()
    const Old = defineEmployee()
    declareIndexes(Old, { lastName })
    const old = opened.rival().table(Old)
    await old.insert(jones)
    // Deploy both names.
    const Both = defineEmployee()
    const byName = { ...lastName, project: ['firstName'] } as const
    const both = declareIndexes(Both, { lastName, byName }).on(opened.account)
    await opened.account.table(Both).insert(smith)
    await both.build()
    expect(await both.state('byName')).toBe('readable')
    // A program of before cannot write any more.
    opened.now += 20_000
    await expect(old.insert({ ...jones, id: 9 })).rejects.toMatchObject({
      code: 'UndeclaredDefinition',
    })
    await both.drop('lastName')
    expect(await both.state('lastName')).toBe('dropped')
    // Deploy without the old name.
    const Next = defineEmployee()
    const next = declareIndexes(Next, { byName }).on(opened.account)
    await opened.account.table(Next).insert({ ...jones, id: 9 })
    expect(await next.query('byName', { department: 'Sales' }).toArray()).toHaveLength(3)
    expect(await next.verify()).toMatchObject({ rows: 3, kept: 3, found: 0 })
    const raw = await opened.account.table('employees').query().allowTableScan().toArray()
    expect(raw.filter(({ rowKey }) => rowKey.includes('~lastName.'))).toEqual([])
  })

  it('a dropped index can be built again by its name', async () => {
    const opened = office()
    const Employee = defineEmployee()
    const indexed = declareIndexes(Employee, { lastName, email }).on(opened.account)
    const employees = opened.account.table(Employee)
    await employees.create()
    await employees.insert(jones)
    await indexed.drop('lastName')
    await indexed.build()
    expect(await indexed.state('lastName')).toBe('dropped')
    await employees.insert(smith)
    await indexed.build({ only: ['lastName'] })
    expect(await indexed.query('lastName', { department: 'Sales' }).toArray()).toHaveLength(2)
  })
})
