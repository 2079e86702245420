import { defineEntity, key, upgradeTable } from '@rowkey/mapper'
import { DecodeError, DynamicEntity, InputError } from '@rowkey/odata'
import { declareIndexes, declareSummaries, type IndexFinding } from '@rowkey/patterns'
import type { HttpRequest } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { CASE_STEP } from '../../support/cases-to-play.ts'
import { defineEmployee, isBatch, jones, office } from '../employees.ts'

/** A table that a program without indexes has written, and the model with indexes of the next program. */
async function grown(count = 5) {
  const opened = office()
  const old = opened.account.table(defineEmployee())
  await old.create()
  for (let id = 1; id <= count; id++) {
    await old.insert({ ...jones, id, email: `${id}@contoso.com` })
  }
  const Employee = defineEmployee()
  const indexes = declareIndexes(Employee, {
    email: { rowKey: key`email_${'email'}`, unique: true },
    lastName: { rowKey: key`lastname_${'lastName'}_${'id:6'}` },
  })
  const employees = opened.account.table(Employee)
  return {
    ...opened,
    opened,
    old,
    Employee,
    indexes,
    employees,
    indexed: indexes.on(opened.account),
  }
}

/** Tells whether a request reads rows and entries together. */
const isScan = (request: HttpRequest): boolean =>
  request.method === 'GET' && JSON.stringify(request).includes('email_')

describe('an index whose declaration changed', () => {
  async function built() {
    const before = await grown(3)
    await before.indexed.rebuild()
    return before
  }

  it.each([
    ['another key template', { rowKey: key`email_x_${'email'}`, unique: true }],
    ['one more property', { rowKey: key`email_${'email'}`, unique: true, project: ['age'] }],
    ['an index that is not unique', { rowKey: key`email_${'email'}_${'id:6'}` }],
    ['another revision', { rowKey: key`email_${'email'}`, unique: true, revision: 2 }],
    ['a condition', { rowKey: key`email_${'email'}`, unique: true, where: () => true }],
  ] as const)('is neither read nor written past before ensure: %s', async (_, email) => {
    const { account, indexed, employees } = await built()
    const Employee = defineEmployee()
    const next = declareIndexes(Employee, { email }).on(account)
    expect(await next.state('email')).toBe('writeOnly')
    const query = account
      .table(Employee)
      .query()
      .where({ department: 'Sales', email: '2@contoso.com' })
    expect((await query.toArray()).map(({ id }) => id)).toEqual([2])
    const reading = next.query('email', { department: 'Sales', email: '2@contoso.com' })
    await expect(reading.toArray()).rejects.toMatchObject({ code: 'IndexNotReadable' })
    const write = account.table(Employee).insert({ ...jones, id: 9 })
    await expect(write).rejects.toMatchObject({ code: 'IndexDeclarationDiffers' })
    expect(await next.ensure()).toEqual([{ index: 'email', state: 'readable', done: 'replaced' }])
    await account.table(Employee).insert({ ...jones, id: 9, email: '9@contoso.com' })
    expect((await query.toArray()).map(({ id }) => id)).toEqual([2])
    expect(await next.verify()).toMatchObject({ found: 0 })
    // The program with the earlier declaration learns that the index is no longer its own.
    expect(await indexed.state('email')).toBe('writeOnly')
    for (const write of [
      () => employees.insert({ ...jones, id: 10 }),
      () => employees.merge({ ...jones, id: 1, age: 7 }, { etag: '*' }),
      () => employees.delete({ department: 'Sales', id: 1 }, { etag: '*' }),
      () => employees.batch().delete(['Sales', 'empid_000001'], { etag: '*' }).submit(),
    ]) {
      await expect(write()).rejects.toMatchObject({
        code: 'IndexDeclarationDiffers',
        message: expect.stringContaining('Index email of employees is kept in table employees'),
      })
    }
    expect(await next.verify()).toMatchObject({ found: 0 })
  })

  it('is left as it is by repair and verify of the program with the other declaration', async () => {
    const { account, indexed } = await built()
    const Employee = defineEmployee()
    const email = { rowKey: key`email_x_${'email'}`, unique: true } as const
    const next = declareIndexes(Employee, { email }).on(account)
    const differs = { code: 'IndexDeclarationDiffers' }
    await expect(next.repair()).rejects.toMatchObject(differs)
    await expect(next.verify()).rejects.toMatchObject(differs)
    expect(await indexed.verify()).toMatchObject({ rows: 3, entries: 6, found: 0 })
    await next.ensure()
    await expect(indexed.repair({ indexes: ['email'] })).rejects.toMatchObject(differs)
    expect(await next.verify()).toMatchObject({ rows: 3, entries: 3, found: 0 })
  })

  it('ends a repair of the earlier program that has begun', async () => {
    const { opened, indexed } = await built()
    const old = opened.account.table('employees')
    await old.delete(['Sales', 'email_1@contoso.com'], { etag: '*' })
    const Employee = defineEmployee()
    const email = { rowKey: key`email_x_${'email'}`, unique: true } as const
    const next = declareIndexes(Employee, { email }).on(opened.rival())
    opened.between(isScan, () => next.ensure())
    const repair = indexed.repair({ indexes: ['email'] })
    await expect(repair).rejects.toMatchObject({ code: 'IndexDeclarationDiffers' })
    expect(await next.verify()).toMatchObject({ rows: 3, entries: 3, found: 0 })
  })

  it('that was removed is not repaired', async () => {
    const { indexed } = await built()
    await indexed.remove('email')
    await expect(indexed.repair()).rejects.toThrow('name the others in the option indexes')
    expect(await indexed.repair({ indexes: ['lastName'] })).toMatchObject({ found: 0 })
  })

  it('is not read by a later version of the model before it is built, also after upgradeTable', async () => {
    const { account } = office()
    const parts = { name: 'staff', partitionKey: key`${'department'}`, rowKey: key`id_${'id'}` }
    const schema = z.object({ department: z.string(), id: z.string(), mail: z.string() })
    const First = defineEntity({ ...parts, version: 1, schema })
    const Second = defineEntity({
      ...parts,
      version: 2,
      previous: First,
      migrate: (old: z.output<typeof schema>) => ({ ...old, mail: old.mail.toLowerCase() }),
      schema,
    })
    const mail = { rowKey: key`mail_${'mail'}`, unique: true } as const
    const first = declareIndexes(First, { mail }).on(account)
    const second = declareIndexes(Second, { mail }).on(account)
    await account.table(First).create()
    for (const id of ['a', 'b', 'c']) {
      await account.table(First).insert({ department: 'Sales', id, mail: `${id}@CONTOSO.com` })
    }
    await first.rebuild()
    expect(await second.state('mail')).toBe('writeOnly')
    const upgrading = async () => upgradeTable(account.table(Second))
    await expect(upgrading()).rejects.toThrow(/mail of staff is kept in table staff by another/)
    const find = { department: 'Sales', mail: 'b@contoso.com' }
    await expect(second.find('mail', find)).rejects.toMatchObject({ code: 'IndexNotReadable' })
    expect(await second.ensure()).toMatchObject([{ index: 'mail', done: 'replaced' }])
    await upgradeTable(account.table(Second))
    expect((await second.find('mail', find))?.id).toBe('b')
    const found = await account.table(Second).query().where(find).toArray()
    expect(found.map(({ id }) => id)).toEqual(['b'])
    expect(await second.verify()).toMatchObject({ rows: 3, entries: 3, found: 0 })
    const twin = account
      .table(Second)
      .insert({ department: 'Sales', id: 'd', mail: 'b@contoso.com' })
    await expect(twin).rejects.toMatchObject({ code: 'UniqueValueTaken' })
    const late = account
      .table(First)
      .insert({ department: 'Sales', id: 'e', mail: 'e@contoso.com' })
    await expect(late).rejects.toMatchObject({ code: 'IndexDeclarationDiffers' })
  })

  it('copies what a read migrates, also before upgradeTable', async () => {
    const { account } = office()
    const parts = { name: 'staff', partitionKey: key`${'department'}`, rowKey: key`id_${'id'}` }
    const keys = { department: z.string(), id: z.string(), age: z.number() }
    const First = defineEntity({ ...parts, schema: z.object({ ...keys, mail: z.string() }) })
    const Second = defineEntity({
      ...parts,
      version: 2,
      previous: First,
      migrate: ({
        mail,
        ...old
      }: {
        department: string
        id: string
        age: number
        mail: string
      }) => ({
        ...old,
        email: mail,
      }),
      schema: z.object({ ...keys, email: z.string() }),
    })
    await account.table(First).create()
    const row = { department: 'Sales', id: 'a', age: 30, mail: 'a@contoso.com' }
    await account.table(First).insert(row)
    const rowKey = key`age_${'age:3'}_${'id'}`
    const indexed = declareIndexes(Second, { age: { rowKey, project: ['email'] } }).on(account)
    await indexed.ensure()
    const mails = async () => {
      const copies = await indexed.copies('age')
      return (await copies.where({ department: 'Sales' }).toArray()).map(({ email }) => email)
    }
    expect(await mails()).toEqual(['a@contoso.com'])
    await upgradeTable(account.table(Second))
    expect(await mails()).toEqual(['a@contoso.com'])
    expect(await indexed.verify()).toMatchObject({ found: 0 })
  })

  it('copies what a read migrates back, of rows of a later version', async () => {
    const { account } = office()
    const parts = { name: 'staff', partitionKey: key`${'department'}`, rowKey: key`id_${'id'}` }
    const schema = z.object({ department: z.string(), id: z.string(), mail: z.string() })
    type Person = z.output<typeof schema>
    const First = defineEntity({
      ...parts,
      version: 1,
      schema,
      next: () => Second,
      migrateBack: (later: Person): Person => ({ ...later, mail: later.mail.toUpperCase() }),
    })
    const Second = defineEntity({
      ...parts,
      version: 2,
      previous: First as never,
      migrate: (earlier: object) => earlier as Person,
      schema,
    })
    await account.table(Second).create()
    await account.table(Second).insert({ department: 'Sales', id: 'a', mail: 'a@contoso.com' })
    const rowKey = key`copy_${'id'}`
    const indexed = declareIndexes(First, { id: { rowKey, project: ['mail'] } }).on(account)
    await indexed.ensure()
    const copies = (await indexed.copies('id')).where({ department: 'Sales' })
    expect((await copies.toArray()).map(({ mail }) => mail)).toEqual(['A@CONTOSO.COM'])
  })

  it('versions that make the same entries share the index with sameSince', async () => {
    const { account } = office()
    const parts = { name: 'staff', partitionKey: key`${'department'}`, rowKey: key`id_${'id'}` }
    const schema = z.object({ department: z.string(), id: z.string(), mail: z.string() })
    const First = defineEntity({ ...parts, version: 1, schema })
    const Second = defineEntity({
      ...parts,
      version: 2,
      previous: First,
      migrate: (old: z.output<typeof schema>) => old,
      schema,
    })
    const mail = { rowKey: key`mail_${'mail'}`, unique: true, sameSince: 1 } as const
    const first = declareIndexes(First, { mail }).on(account)
    const second = declareIndexes(Second, { mail }).on(account)
    await account.table(First).create()
    await first.ensure()
    await account.table(Second).insert({ department: 'Sales', id: 'a', mail: 'a' })
    const twin = account.table(First).insert({ department: 'Sales', id: 'b', mail: 'a' })
    await expect(twin).rejects.toMatchObject({ code: 'UniqueValueTaken' })
    expect(await second.ensure()).toEqual([{ index: 'mail', state: 'readable', done: 'nothing' }])
  })
})

describe('continuation tokens of an index', () => {
  const sales = { department: 'Sales' }

  it('are rejected when the index has another key template, because its entries have another order', async () => {
    const { account, indexed } = await grown()
    await indexed.rebuild()
    const { next } = await indexed.query('lastName', sales).page({ size: 2 })
    const copied = await (await indexed.copies('lastName')).where(sales).page({ size: 2 })
    const lastName = { rowKey: key`lastname_${'firstName'}_${'id:6'}` }
    const later = declareIndexes(defineEmployee(), { lastName }).on(account)
    await later.ensure()
    const page = later.query('lastName', sales).page({ size: 2, token: next })
    await expect(page).rejects.toMatchObject({ code: 'InvalidContinuationToken' })
    const copies = (await later.copies('lastName')).where(sales)
    await expect(copies.page({ size: 2, token: copied.next })).rejects.toMatchObject({
      code: 'InvalidContinuationToken',
    })
  })

  it('go on after a rebuild of the same declaration', async () => {
    const { indexed } = await grown()
    await indexed.rebuild()
    const query = indexed.query('lastName', sales)
    const copies = (await indexed.copies('lastName')).where(sales)
    const [first, copied] = [await query.page({ size: 2 }), await copies.page({ size: 2 })]
    await indexed.remove('lastName')
    await indexed.rebuild()
    const rest = await query.page({ size: 9, token: first.next })
    expect(rest.items.map(({ id }) => id)).toEqual([3, 4, 5])
    const others = await copies.page({ size: 9, token: copied.next })
    expect(others.items.map(({ id }) => id)).toEqual([3, 4, 5])
  })
})

describe('rebuild', () => {
  it('R-146: builds the indexes of a table that has rows', async () => {
    const { indexed } = await grown()
    expect(await indexed.state('email')).toBe('writeOnly')
    const progress = await indexed.rebuild()
    expect(progress).toMatchObject({ rows: 5, entries: 0, found: 10, repaired: 10 })
    expect(await indexed.state('email')).toBe('readable')
    expect((await indexed.find('email', { department: 'Sales', email: '3@contoso.com' }))?.id).toBe(
      3,
    )
    expect(await indexed.verify()).toMatchObject({ found: 0 })
  })

  it('is right when a writer moves a value between the read of a row and its entry', async () => {
    const { indexed, employees, between } = await grown(1)
    between(isBatch, () =>
      employees.modify({ department: 'Sales', id: 1 }, (employee) => {
        employee.email = 'moved@contoso.com'
      }),
    )
    await indexed.rebuild()
    expect(await indexed.verify()).toMatchObject({ found: 0 })
    const moved = { department: 'Sales', email: 'moved@contoso.com' }
    expect((await indexed.find('email', moved))?.id).toBe(1)
  })

  it('is right when a writer deletes a row between the read of the row and its entry', async () => {
    const { indexed, employees, between } = await grown(2)
    between(isBatch, () => employees.delete({ department: 'Sales', id: 1 }, { etag: '*' }))
    await indexed.rebuild()
    expect(await indexed.verify()).toMatchObject({ rows: 1, entries: 2, found: 0 })
  })

  it('by two builders at once ends the same', async () => {
    const { indexed, indexes, rival } = await grown()
    await Promise.all([indexed.rebuild(), indexes.on(rival()).rebuild()])
    expect(await indexed.verify()).toMatchObject({ rows: 5, entries: 10, found: 0 })
  })

  it('finds a row that another client wrote before it, while an earlier one was nearly done', async () => {
    const { indexed, indexes, old, over, between } = await grown(2)
    let later: Promise<unknown> | undefined
    const looking = new Promise<void>((looked) => {
      const account = over((service) => async (request, limits) => {
        const response = await service(request, limits)
        if (request.method === 'GET' && request.path.includes('rowkeyindex_build')) looked()
        return response
      })
      between(
        (request) => isBatch(request) && String(request.body).includes('"State":"readable"'),
        async () => {
          await old.insert({ ...jones, id: 9, email: '9@contoso.com' })
          later = indexes.on(account).rebuild()
          await looking
        },
      )
    })
    await indexed.rebuild()
    await later
    expect(await indexed.verify()).toMatchObject({ rows: 3, entries: 6, found: 0 })
  })

  it('leaves an index with shared values pending, and reports them', async () => {
    const { indexed, old, employees } = await grown(2)
    await old.merge({ ...jones, id: 2, email: '1@contoso.com' }, { etag: '*' })
    const found: IndexFinding[] = []
    await indexed.rebuild({ onFinding: (finding) => found.push(finding) })
    expect(found.filter(({ kind }) => kind === 'duplicate')).toEqual([
      expect.objectContaining({ index: 'email', repaired: false }),
    ])
    expect(await indexed.state('email')).toBe('uniquenessPending')
    expect(await indexed.state('lastName')).toBe('readable')
    await employees.modify({ department: 'Sales', id: 2 }, (employee) => {
      employee.email = '2@contoso.com'
    })
    await indexed.rebuild()
    expect(await indexed.state('email')).toBe('readable')
  })
})

describe('verify and repair', () => {
  it('take no value from a row that got it between two pages of the scan', async () => {
    const opened = office()
    const Employee = defineEmployee()
    const mail = { rowKey: key`mail_${'email'}`, unique: true } as const
    const indexes = declareIndexes(Employee, { mail })
    const indexed = indexes.on(opened.account)
    const employees = opened.account.table(Employee)
    await employees.create()
    await indexed.ensure()
    await employees.bulk().insert([1, 3, 4, 5].map((id) => ({ ...jones, id, email: `${id}@x` })))
    const old = opened.account.table(defineEmployee())
    await old.merge({ ...jones, id: 1, email: 'taken@x' }, { etag: '*' })
    let pages = 0
    // The scan reads two rows in a page, so that the second page begins after the row 3.
    const inSmallPages = opened.over((service) => async (request, limits) => {
      if (!request.query.includes('empid_')) return service(request, limits)
      if (++pages === 2) await employees.insert({ ...jones, id: 2, email: 'taken@x' })
      return service({ ...request, query: `${request.query}&$top=2` }, limits)
    })
    const found: IndexFinding[] = []
    await indexes.on(inSmallPages).repair({ onFinding: (finding) => found.push(finding) })
    const duplicates = found.filter(({ kind }) => kind === 'duplicate')
    expect(duplicates.map(({ row }) => row.rowKey)).toEqual(['empid_000001'])
    expect((await indexed.find('mail', { department: 'Sales', email: 'taken@x' }))?.id).toBe(2)
  })

  it('count no difference of a row that a writer changes during the second look', async () => {
    const { indexed, employees, old, between } = await grown(1)
    await indexed.rebuild()
    await old.insert({ ...jones, id: 9, email: '9@contoso.com' })
    const isRow = (request: HttpRequest): boolean =>
      request.method === 'GET' && JSON.stringify(request).includes('empid_000009')
    between(isRow, () =>
      employees.modify({ department: 'Sales', id: 9 }, (employee) => {
        employee.email = 'nine@contoso.com'
        employee.lastName = 'Nine'
      }),
    )
    expect(await indexed.verify()).toMatchObject({ rows: 2, found: 0 })
  })

  it('find and remove what a program without the index left behind', async () => {
    const { indexed, old } = await grown(3)
    await indexed.rebuild()
    await old.delete({ department: 'Sales', id: 1 }, { etag: '*' })
    await old.merge({ ...jones, id: 2, email: 'new@contoso.com' }, { etag: '*' })
    await old.insert({ ...jones, id: 9, email: '9@contoso.com' })
    const found: IndexFinding[] = []
    expect(await indexed.verify({ onFinding: (each) => found.push(each) })).toMatchObject({
      found: 6,
      repaired: 0,
    })
    const kinds = found.map(({ index, kind, row }) => `${index} ${kind} ${row.rowKey}`).sort()
    expect(kinds).toEqual([
      'email dangling empid_000001',
      'email dangling empid_000002',
      'email missing empid_000002',
      'email missing empid_000009',
      'lastName dangling empid_000001',
      'lastName missing empid_000009',
    ])
    expect(await indexed.repair()).toMatchObject({ found: 6, repaired: 6 })
    expect(await indexed.verify()).toMatchObject({ found: 0 })
  })

  it('compare only the indexes that the caller names', async () => {
    const { indexed } = await grown(1)
    expect(await indexed.verify({ indexes: ['email'] })).toMatchObject({ found: 1 })
  })

  it('reject an unknown place to continue', async () => {
    const { indexed } = await grown(1)
    await expect(indexed.verify({ from: 'nowhere' })).rejects.toMatchObject({
      code: 'InvalidPatternOption',
    })
  })
})

describe('remove', () => {
  it('takes an index out of service: readers stop, then writers, then the entries go', async () => {
    const { indexed, employees, opened, account } = await grown(3)
    await indexed.rebuild()
    const before = opened.now
    await indexed.remove('email')
    expect(opened.now - before).toBe(40_000)
    await employees.insert({ ...jones, id: 8, email: '8@contoso.com' })
    const rows = await account.table('employees').query().allowTableScan().toArray()
    expect(rows.filter(({ rowKey }) => rowKey.startsWith('email_'))).toEqual([])
    const reading = indexed.find('email', { department: 'Sales', email: '1@contoso.com' })
    await expect(reading).rejects.toMatchObject({ code: 'IndexNotReadable' })
    expect(await indexed.ensure()).toEqual([
      { index: 'email', state: 'disabled', done: 'nothing' },
      { index: 'lastName', state: 'readable', done: 'nothing' },
    ])
    await indexed.rebuild()
    expect((await indexed.find('email', { department: 'Sales', email: '8@contoso.com' }))?.id).toBe(
      8,
    )
  })

  it('writers keep an index until no reader trusts it', async () => {
    const { indexed, indexes, between, rival, employees } = await grown(1)
    await indexed.rebuild()
    const reader = indexes.on(rival())
    const email = 'late@contoso.com'
    let found: number | undefined
    // The catalogue changes twice; between the two a reader may still trust the index for a lease.
    between(
      (request) => isBatch(request) && String(request.body).includes('rowkeyindex_'),
      async () => {
        await employees.insert({ ...jones, id: 8, email })
        found = (await reader.find('email', { department: 'Sales', email }))?.id
      },
    )
    await indexed.remove('email')
    expect(found).toBe(8)
  })

  it('removes an index that the program no longer declares', async () => {
    const { indexed, account } = await grown(3)
    await indexed.ensure()
    const next = declareIndexes(defineEmployee(), {
      byMail: { rowKey: key`email_${'email'}`, unique: true },
    }).on(account)
    await expect(next.ensure()).rejects.toMatchObject({ code: 'IndexKeysShared' })
    await next.remove('email')
    expect(await next.ensure()).toMatchObject([{ index: 'byMail', state: 'readable' }])
    expect(await next.verify()).toMatchObject({ rows: 3, entries: 3, found: 0 })
    await expect(next.remove('none')).rejects.toThrow(/has no index "none"/)
  })

  it('an index that is removed during its build does not become readable', async () => {
    const { indexed, indexes, between, rival } = await grown(1)
    const isRepair = (request: { path: string; body?: unknown }) =>
      request.path.endsWith('$batch') && String(request.body).includes('empid_000001')
    between(isRepair as never, () => indexes.on(rival()).remove('email'))
    await expect(indexed.rebuild()).rejects.toMatchObject({ code: 'IndexStateChanged' })
    expect(await indexed.state('email')).toBe('disabled')
    await indexed.rebuild()
    expect(await indexed.state('email')).toBe('readable')
  })

  it('another program uses a state for one lease at most', async () => {
    const { indexed, indexes, Employee, rival } = await grown(1)
    await indexed.rebuild()
    const other = rival()
    await other.table(Employee).insert({ ...jones, id: 5, email: '5@contoso.com' })
    await indexed.remove('email')
    await other.table(Employee).insert({ ...jones, id: 6, email: '6@contoso.com' })
    const entry = await other.table('employees').find(['Sales', 'email_6@contoso.com'])
    expect(entry).toBeUndefined()
    expect(await indexes.on(other).state('email')).toBe('disabled')
  })

  it('a program that dies at any request leaves an index that the next one removes', async () => {
    let life = 0
    for (; ; life += CASE_STEP) {
      const { indexed, indexes, employees, account, sent, rival } = await grown(2)
      await indexed.rebuild()
      const [first] = sent
      expect(first).toBeDefined()
      const dying = indexes.on(rival(life))
      const isDone = await dying.remove('email').then(
        () => true,
        () => false,
      )
      await employees.insert({ ...jones, id: 9, email: '9@contoso.com' })
      if (!isDone) await indexed.remove('email')
      const rows = await account.table('employees').query().allowTableScan().toArray()
      const left = rows.filter(({ rowKey }) => rowKey.startsWith('email_'))
      expect(
        left.map(({ rowKey }) => rowKey),
        `after ${life} requests`,
      ).toEqual([])
      if (isDone) break
    }
    expect(life).toBeGreaterThan(5)
  })
})

describe('ensure', () => {
  it('costs one request when all indexes are readable', async () => {
    const { indexed, sent } = await grown(2)
    expect(await indexed.ensure()).toEqual([
      { index: 'email', state: 'readable', done: 'built' },
      { index: 'lastName', state: 'readable', done: 'built' },
    ])
    sent.length = 0
    expect(await indexed.ensure()).toMatchObject([{ done: 'nothing' }, { done: 'nothing' }])
    expect(sent).toHaveLength(1)
  })

  it('waits for readers, then for writers, two leases each, and removes the old entries when it takes an index over', async () => {
    const { indexed, account, opened } = await grown(3)
    await indexed.ensure()
    const email = { rowKey: key`mail_${'email'}`, unique: true } as const
    const next = declareIndexes(defineEmployee(), { email }).on(account)
    const before = opened.now
    await next.ensure()
    expect(opened.now - before).toBe(40_000)
    const rows = await account.table('employees').query().allowTableScan().toArray()
    expect(rows.filter(({ rowKey }) => rowKey.startsWith('email_'))).toEqual([])
    expect(rows.filter(({ rowKey }) => rowKey.startsWith('mail_'))).toHaveLength(3)
  })

  it('a program that dies at any request of a takeover leaves an index that the next one ensures', async () => {
    let life = 0
    for (; ; life += CASE_STEP) {
      const { indexed, employees, account, rival } = await grown(2)
      await indexed.ensure()
      const Next = defineEmployee()
      const email = { rowKey: key`mail_${'email'}`, unique: true, project: ['age'] } as const
      const next = declareIndexes(Next, { email })
      const isDone = await next
        .on(rival(life))
        .ensure()
        .then(
          () => true,
          () => false,
        )
      // The old program either still owns the index, or is rejected.
      const old = await employees.insert({ ...jones, id: 8, email: '8@contoso.com' }).then(
        () => 'stored',
        ({ code }) => code,
      )
      expect(['stored', 'IndexDeclarationDiffers']).toContain(old)
      await next.on(account).ensure()
      await account.table(Next).insert({ ...jones, id: 9, email: '9@contoso.com' })
      expect(await next.on(account).verify(), `after ${life} requests`).toMatchObject({ found: 0 })
      const rows = await account.table('employees').query().allowTableScan().toArray()
      expect(rows.filter(({ rowKey }) => rowKey.startsWith('email_'))).toEqual([])
      if (isDone) break
    }
    expect(life).toBeGreaterThan(5)
  })
})

describe('rows of other kinds', () => {
  it('a scrub leaves out the rows of other declarations when RowKeys have no beginning', async () => {
    const { account } = office()
    const Employee = defineEntity({
      name: 'staff',
      partitionKey: key`${'department'}`,
      rowKey: key`${'id'}`,
      schema: z.object({ department: z.string(), id: z.string(), title: z.string() }),
    })
    declareSummaries(Employee, { titles: { rowKey: key`count_${'title'}` } })
    const indexes = declareIndexes(Employee, { title: { rowKey: key`title_${'title'}_${'id'}` } })
    const staff = account.table(Employee)
    await staff.create()
    await staff.insert({ department: 'Sales', id: '1', title: 'dev' })
    const indexed = indexes.on(account)
    expect(await indexed.rebuild()).toMatchObject({ rows: 1, entries: 1, found: 0 })
    expect(await indexed.verify()).toMatchObject({ rows: 1, entries: 1, found: 0 })
  })

  it('a row that the model cannot read is a finding, and the others are compared', async () => {
    const { account, indexed } = await grown(3)
    const rows = account.table('employees')
    const old = { firstName: 'Jon', mail: '1@contoso.com', age: 'old' }
    await rows.replace(new DynamicEntity('Sales', 'empid_000001', old), { etag: '*' })
    await rows.insert(new DynamicEntity('Sales', 'empid_000009', { firstName: 'A', mail: 'a/b' }))
    const findings: IndexFinding[] = []
    const onFinding = (each: IndexFinding) => findings.push(each)
    expect(await indexed.rebuild({ onFinding })).toMatchObject({ rows: 4, found: 7, repaired: 4 })
    const unreadable = findings.filter(({ kind }) => kind === 'unreadable')
    expect(
      unreadable.map(({ index, row, error }) => [index, row.rowKey, error?.constructor]),
    ).toEqual([
      ['email', 'empid_000001', DecodeError],
      ['lastName', 'empid_000001', DecodeError],
      ['email', 'empid_000009', InputError],
    ])
    expect(await indexed.state('email')).toBe('writeOnly')
    await rows.delete(['Sales', 'empid_000001'], { etag: '*' })
    await rows.delete(['Sales', 'empid_000009'], { etag: '*' })
    await indexed.rebuild()
    expect(await indexed.state('email')).toBe('readable')
  })

  it('a repair keeps the entry of a row that became unreadable', async () => {
    const { account, indexed } = await grown(1)
    await indexed.rebuild()
    const old = { firstName: 'Jon', mail: '1@contoso.com', age: 'old' }
    const row = new DynamicEntity('Sales', 'empid_000001', old)
    await account.table('employees').replace(row, { etag: '*' })
    expect(await indexed.repair()).toMatchObject({ entries: 2, found: 2, repaired: 0 })
    expect(await indexed.verify()).toMatchObject({ entries: 2, found: 2 })
  })
})
