import { localTableService } from '@rowkey/local'
import { Account, defineEntity, key } from '@rowkey/mapper'
import { declareIndexes } from '@rowkey/patterns'
import {
  AbortError,
  exponentialRetry,
  type HttpRequest,
  TransportError,
  tableService,
} from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { defineEmployee, isBatch, jones, office } from '../employees.ts'

const store = { name: 'store', partitionKey: key`${'department'}` }
const schema = z.object({ department: z.string(), id: z.string(), mail: z.string() })

/** Two models of one table. Each test has its own, because indexes are declared on models. */
const definePerson = () => defineEntity({ ...store, rowKey: key`person_${'id'}`, schema })
const defineFirm = () => defineEntity({ ...store, rowKey: key`firm_${'id'}`, schema })

describe('the catalogue of a table', () => {
  it('models in one table have states of their own', async () => {
    const { account } = office()
    const Person = definePerson()
    const Firm = defineFirm()
    const persons = declareIndexes(Person, { mail: { rowKey: key`pmail_${'mail'}`, unique: true } })
    const firms = declareIndexes(Firm, { mail: { rowKey: key`fmail_${'mail'}`, unique: true } })
    await account.table(Person).create()
    await persons.on(account).rebuild()
    expect(await persons.on(account).state('mail')).toBe('readable')
    expect(await firms.on(account).state('mail')).toBe('writeOnly')
  })

  it('models of one table whose entries could have the same keys are rejected', async () => {
    const { account } = office()
    const Person = definePerson()
    const Firm = defineFirm()
    const mail = { rowKey: key`mail_${'mail'}`, unique: true } as const
    const persons = declareIndexes(Person, { mail }).on(account)
    const firms = declareIndexes(Firm, { mail }).on(account)
    await account.table(Person).create()
    await account.table(Person).insert({ department: 'Sales', id: 'a', mail: 'x' })
    const other = account.table(Firm).insert({ department: 'Sales', id: 'b', mail: 'y' })
    await expect(other).rejects.toMatchObject({ code: 'IndexKeysShared' })
    await expect(firms.ensure()).rejects.toMatchObject({ code: 'IndexKeysShared' })
    await expect(firms.remove('mail')).rejects.toMatchObject({ code: 'IndexKeysShared' })
    expect(await persons.ensure()).toMatchObject([{ state: 'readable' }])
    expect(await persons.verify()).toMatchObject({ rows: 1, entries: 1, found: 0 })
  })

  it('a write that is aborted while its index is registered says that it was not applied', async () => {
    const { over } = office()
    const Person = definePerson()
    declareIndexes(Person, { mail: { rowKey: key`mail_${'mail'}`, unique: true } })
    const account = over((service) => async (request, limits) => {
      const response = await service(request, limits)
      if (!isBatch(request)) return response
      throw new AbortError({ reason: 'stopped', mayHaveApplied: true })
    })
    const persons = account.table(Person)
    await persons.create()
    const write = persons.insert({ department: 'Sales', id: 'a', mail: 'x' })
    await expect(write).rejects.toMatchObject({ name: 'AbortError', mayHaveApplied: false })
    expect(await persons.query().allowTableScan().count()).toBe(0)
  })

  it.each(['insert', 'ensure'])(
    'one of two models with the same keys goes on when both come at once, by %s',
    async (method) => {
      const opened = office()
      const { account, between, rival } = opened
      const Person = definePerson()
      const Firm = defineFirm()
      const mail = { rowKey: key`mail_${'mail'}`, unique: true } as const
      const persons = declareIndexes(Person, { mail }).on(account)
      declareIndexes(Firm, { mail })
      await account.table(Person).create()
      const firms = rival().table(Firm)
      // Both have read the catalogue, which has no row yet.
      between(
        (request) => isBatch(request) && String(request.body).includes('rowkeyindex_'),
        () => firms.insert({ department: 'Sales', id: 'a', mail: 'x' }),
      )
      const late =
        method === 'ensure'
          ? persons.ensure()
          : account.table(Person).insert({ department: 'Sales', id: 'b', mail: 'y' })
      await expect(late).rejects.toMatchObject({ code: 'IndexKeysShared' })
      opened.now += 20_000
      await firms.insert({ department: 'Sales', id: 'c', mail: 'z' })
      expect(await account.table('store').query().allowTableScan().count()).toBe(6)
    },
  )

  describe('goes on when a registration is lost while another program registers', () => {
    const isRegistration = (request: HttpRequest) =>
      isBatch(request) && String(request.body).includes('rowkeyindex_')
    const lost = () => new TransportError({ message: 'Lost.', mayHaveApplied: true })
    const mail = { rowKey: key`pmail_${'mail'}`, unique: true } as const
    const retry = exponentialRetry()

    it.each(['the same model', 'another model'])('of %s', async (model) => {
      const opened = office()
      const { account, between, rival } = opened
      const Person = definePerson()
      const persons = declareIndexes(Person, { mail }).on(account)
      await account.table(Person).create()
      const isSame = model === 'the same model'
      const Other = isSame ? definePerson() : defineFirm()
      declareIndexes(Other, { mail: isSame ? mail : { ...mail, rowKey: key`fmail_${'mail'}` } })
      between(isRegistration, async () => {
        opened.now += 5
        await rival().table(Other).insert({ department: 'Sales', id: 'a', mail: 'x' })
        throw lost()
      })
      if (!isSame) await persons.remove('mail', { retry })
      await account.table(Person).insert({ department: 'Sales', id: 'b', mail: 'y' }, { retry })
      expect(await persons.state('mail')).toBe(isSame ? 'writeOnly' : 'disabled')
      const entries = await account
        .table('store')
        .query()
        .where({ rowKey: 'pmail_y' })
        .allowTableScan()
        .count()
      expect(entries).toBe(isSame ? 1 : 0)
    })
  })

  it('a removal that is called again waits for the readers of an earlier call', async () => {
    const opened = office()
    const { account, rival } = opened
    const Person = definePerson()
    const indexes = declareIndexes(Person, { mail: { rowKey: key`pmail_${'mail'}_${'id'}` } })
    const persons = indexes.on(account)
    await account.table(Person).create()
    await account.table(Person).insert({ department: 'Sales', id: 'a', mail: 'x' })
    await persons.ensure()
    const begun = opened.now
    // It reads the catalogue, takes the first step, and dies while it waits.
    await expect(indexes.on(rival(2)).remove('mail')).rejects.toThrow('transport failed')
    opened.now = begun
    await persons.remove('mail')
    expect(opened.now - begun).toBe(40_000)
  })

  it('a removal that is called again opens no index for writes', async () => {
    const { account, sent } = office()
    const Employee = defineEmployee()
    const indexes = declareIndexes(Employee, { email: { rowKey: key`email_${'email'}_${'id:6'}` } })
    await account.table(Employee).create()
    await indexes.on(account).ensure()
    await indexes.on(account).remove('email')
    sent.length = 0
    await indexes.on(account).remove('email')
    expect(sent.filter(({ body }) => String(body).includes('"State":"writeOnly"'))).toEqual([])
    expect(await indexes.on(account).state('email')).toBe('disabled')
  })

  it('an index cannot have keys whose entries another index is about to remove', async () => {
    const { account, between, rival } = office()
    const Firm = defineFirm()
    const Person = definePerson()
    const before = declareIndexes(Person, { mail: { rowKey: key`mail_${'mail'}_${'id'}` } }).on(
      account,
    )
    await account.table(Person).create()
    await before.ensure()
    await account.table(Person).insert({ department: 'Sales', id: 'a', mail: 'x' })
    declareIndexes(Firm, { mail: { rowKey: key`mail_${'mail'}_${'id'}` } })
    const firms = rival().table(Firm)
    const firm = { department: 'Sales', id: 'b', mail: 'y' }
    let code: unknown
    between(
      (request) => isBatch(request) && /DELETE .*mail_x/.test(String(request.body)),
      async () => {
        code = await firms.insert(firm).catch((error) => error.code)
      },
    )
    const persons = declareIndexes(definePerson(), { mail: { rowKey: key`by_${'mail'}_${'id'}` } })
    expect(await persons.on(account).ensure()).toMatchObject([{ done: 'replaced' }])
    expect(code).toBe('IndexKeysShared')
    await firms.insert(firm)
    expect(await persons.on(account).rebuild()).toMatchObject({ repaired: 0 })
    const rows = await account.table('store').query().where({ partitionKey: 'Sales' }).toArray()
    expect(rows.map(({ rowKey }) => rowKey)).toEqual(['by_x_a', 'firm_b', 'mail_y_b', 'person_a'])
  })

  it('models that a discriminator tells apart have indexes of their own', async () => {
    const { account } = office()
    const parts = { name: 'store', partitionKey: key`${'department'}`, rowKey: key`row_${'id'}` }
    const Person = defineEntity({ ...parts, discriminator: { EntityType: 'Person' }, schema })
    const Firm = defineEntity({ ...parts, discriminator: { EntityType: 'Firm' }, schema })
    const persons = declareIndexes(Person, { mail: { rowKey: key`pmail_${'mail'}`, unique: true } })
    const firms = declareIndexes(Firm, { mail: { rowKey: key`fmail_${'mail'}`, unique: true } })
    await account.table(Person).create()
    await account.table(Person).insert({ department: 'Sales', id: 'a', mail: 'x' })
    await account.table(Firm).insert({ department: 'Sales', id: 'b', mail: 'x' })
    expect(await persons.on(account).ensure()).toMatchObject([{ state: 'readable' }])
    expect(await firms.on(account).verify()).toMatchObject({ rows: 1, entries: 1, found: 0 })
    expect(await firms.on(account).state('mail')).toBe('writeOnly')
  })

  it('costs one request for each lease, whatever the number of indexes', async () => {
    const opened = office()
    const Employee = defineEmployee()
    const indexes = declareIndexes(Employee, {
      email: { rowKey: key`email_${'email'}`, unique: true },
      lastName: { rowKey: key`lastname_${'lastName'}_${'id:6'}` },
    })
    const employees = opened.account.table(Employee)
    await employees.create()
    await indexes.on(opened.account).ensure()
    const requests = async (id: number): Promise<number> => {
      opened.sent.length = 0
      await employees.insert({ ...jones, id, email: `${id}@x` })
      return opened.sent.length
    }
    expect([await requests(1), await requests(2)]).toEqual([1, 1])
    opened.now += 10_000
    expect([await requests(3), await requests(4)]).toEqual([2, 1])
  })

  it('registers an index at its first write, so that another declaration of it is known', async () => {
    const { account } = office()
    const [First, Second] = [defineEmployee(), defineEmployee()]
    declareIndexes(First, { email: { rowKey: key`email_${'email'}`, unique: true } })
    declareIndexes(Second, { email: { rowKey: key`email_${'email'}_${'id:6'}` } })
    await account.table(First).create()
    await account.table(First).insert({ ...jones })
    const write = account.table(Second).insert({ ...jones, id: 9 })
    await expect(write).rejects.toMatchObject({ code: 'IndexDeclarationDiffers' })
  })

  it('a program whose clock is set back does not go on by what it read before', async () => {
    const { transport, connectionString } = localTableService()
    let [time, behind] = [Date.now(), 0]
    const open = (now: () => number) =>
      new Account(
        tableService({
          connectionString: connectionString(),
          transport,
          now,
          sleep: async (ms) => {
            time += ms
          },
        }),
      )
    const [account, newer] = [open(() => time - behind), open(() => time)]
    const [Person, Later] = [definePerson(), definePerson()]
    const persons = declareIndexes(Person, { mail: { rowKey: key`mail_${'mail'}`, unique: true } })
    const later = declareIndexes(Later, { mail: { rowKey: key`mail_${'mail'}_${'id'}` } })
    await account.table(Person).create()
    await persons.on(account).ensure()
    await account.table(Person).insert({ department: 'Sales', id: 'a', mail: 'x' })
    behind = 3_600_000
    await later.on(newer).ensure()
    const late = account.table(Person).insert({ department: 'Sales', id: 'b', mail: 'y' })
    await expect(late).rejects.toMatchObject({ code: 'IndexDeclarationDiffers' })
    expect((await later.on(newer).verify()).found).toBe(0)
  })
})
