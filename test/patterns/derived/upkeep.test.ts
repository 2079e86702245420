import { key } from '@rowkey/mapper'
import { DynamicEntity } from '@rowkey/odata'
import { declareIndexes } from '@rowkey/patterns'
import { describe, expect, it } from 'vitest'
import { CASE_STEP } from '../../support/cases-to-play.ts'
import { defineEmployee, isBatch, jones, type Office } from '../employees.ts'
import { grown } from '../indexes/grown-staff.ts'

/** The kept rows of a name, as they are stored. */
async function rowsOf({ account }: Pick<Office, 'account'>, name: string) {
  const all = await account.table('employees').query().allowTableScan().toArray()
  return all.filter(({ rowKey }) => rowKey.includes(`~${name}.`))
}

describe('drop', () => {
  it('readers stop first, then writers, and then the entries are deleted', async () => {
    const { indexed, employees, opened } = await grown(3)
    await indexed.build()
    const before = opened.now
    await indexed.drop('email')
    expect(opened.now - before).toBe(40_000)
    await employees.insert({ ...jones, id: 8, email: '8@contoso.com' })
    expect(await rowsOf(opened, 'email')).toEqual([])
    const reading = indexed.find('email', { department: 'Sales', email: '1@contoso.com' })
    await expect(reading).rejects.toThrow('it is dropped. Build it to have it again.')
    await indexed.build({ only: ['email'] })
    const eighth = { department: 'Sales', email: '8@contoso.com' }
    expect((await indexed.find('email', eighth))?.id).toBe(8)
  })

  it('drops an index that the program no longer declares, by its name or with its fingerprint', async () => {
    const { indexed, opened } = await grown(3)
    await indexed.build()
    const [entry] = await rowsOf(opened, 'email')
    const named = /~(email\.[0-9a-f]{8})~/.exec(entry?.rowKey ?? '')?.[1] ?? ''
    const next = declareIndexes(defineEmployee(), {
      byMail: { rowKey: key`${'email'}`, unique: true },
    }).on(opened.account)
    await next.drop(named)
    await next.drop('lastName')
    expect(await rowsOf(opened, 'email')).toEqual([])
    expect(await rowsOf(opened, 'lastName')).toEqual([])
    await next.build()
    expect(await next.verify()).toMatchObject({ rows: 3, kept: 3, found: 0 })
    await expect(next.drop('none')).rejects.toThrow('employees has no index "none"')
  })

  it('an index that is dropped during its build does not become readable', async () => {
    const { indexed, indexes, between, rival, opened } = await grown(1)
    between(
      (request) => isBatch(request) && String(request.body).includes('empid_000001'),
      () => indexes.on(rival()).drop('email'),
    )
    await indexed.build({ only: ['email'] }).catch(() => undefined)
    expect(['dropped', 'readable']).toContain(await indexed.state('email'))
    if ((await indexed.state('email')) === 'dropped')
      expect(await rowsOf(opened, 'email')).toEqual([])
    else expect(await indexed.verify({ only: ['email'] })).toMatchObject({ found: 0 })
  })

  it('an index that is dropped after its builder has looked a last time does not become readable', async () => {
    const { indexed, indexes, rival, opened } = await grown(2)
    let isDropped = false
    const building = opened.over((service) => async (request, limits) => {
      const isEnd = isBatch(request) && String(request.body).includes('verifiedAt')
      if (isEnd && !isDropped) {
        isDropped = true
        await indexes.on(rival()).drop('email')
      }
      return service(request, limits)
    })
    await indexes.on(building).build()
    expect(isDropped).toBe(true)
    expect(await indexed.state('email')).toBe('dropped')
    expect(await indexed.state('lastName')).toBe('readable')
    expect(await rowsOf(opened, 'email')).toEqual([])
  })

  it('a program that dies at any request leaves an index that the next one drops', async () => {
    for (let life = 0; ; life += CASE_STEP) {
      const { indexed, indexes, employees, opened, rival } = await grown(2)
      await indexed.build()
      const isDone = await indexes
        .on(rival(life))
        .drop('email')
        .then(
          () => true,
          () => false,
        )
      await employees.insert({ ...jones, id: 9, email: '9@contoso.com' })
      if (!isDone) await indexed.drop('email')
      expect(await rowsOf(opened, 'email'), `after ${life} requests`).toEqual([])
      if (isDone) return expect(life).toBeGreaterThan(5)
    }
  })

  it('deletes no entry of a later build when a request arrives late', async () => {
    const { indexed, indexes, employees, opened } = await grown(1)
    await indexed.build()
    let deliver: (() => Promise<unknown>) | undefined
    const dying = opened.over((service) => async (request, limits) => {
      if (deliver !== undefined) throw new Error('The program has died.')
      if (!isBatch(request) || !String(request.body).includes('DELETE'))
        return service(request, limits)
      deliver = () => service(request, limits)
      throw new Error('lost')
    })
    await expect(indexes.on(dying).drop('email')).rejects.toThrow()
    await indexed.drop('email')
    await indexed.build({ only: ['email'] })
    await deliver?.()
    expect(await indexed.verify()).toMatchObject({ rows: 1, found: 0 })
    const first = { department: 'Sales', email: '1@contoso.com' }
    expect(await indexed.find('email', first)).toMatchObject({ id: 1 })
    expect(await employees.query().where({ department: 'Sales' }).count()).toBe(1)
  })

  it.each(['deleted', 'changed'])(
    'deletes all entries when another program has %s some of them',
    async (what) => {
      const { indexed, between, opened } = await grown(3)
      await indexed.build()
      const rows = opened.account.table('employees')
      between(
        (request) => isBatch(request) && String(request.body).includes('DELETE'),
        async () => {
          const [first] = await rowsOf(opened, 'email')
          const { partitionKey = '', rowKey = '' } = first ?? {}
          const changed = new DynamicEntity(partitionKey, rowKey, { Changed: 1 })
          if (what === 'deleted') await rows.delete(changed, { etag: '*' })
          else await rows.merge(changed, { etag: '*' })
        },
      )
      await indexed.drop('email')
      expect(await rowsOf(opened, 'email')).toEqual([])
    },
  )

  it('deletes all entries when the response to a deletion is lost', async () => {
    const { indexed, indexes, opened } = await grown(3)
    await indexed.build()
    let isLost = false
    const losing = opened.over((service) => async (request, limits) => {
      const isDeletion = isBatch(request) && String(request.body).includes('DELETE')
      if (!isDeletion || isLost) return service(request, limits)
      isLost = true
      throw new Error('lost')
    })
    await indexes.on(losing).drop('email')
    expect(isLost).toBe(true)
    expect(await rowsOf(opened, 'email')).toEqual([])
  })

  it.each(['before its writers stop', 'before its entries are deleted'])(
    'leaves an index to a program that builds it again %s',
    async (when) => {
      const { indexed, indexes, rival, opened } = await grown(2)
      await indexed.build()
      let writes = 0
      const dropping = opened.over((service) => async (request, limits) => {
        const isWrite = isBatch(request) && String(request.body).includes('~rk~cat~')
        const isScan = request.method === 'GET' && request.path.endsWith('employees()')
        if (when.includes('writers') ? isWrite && ++writes === 2 : isScan && writes++ === 0) {
          await indexes.on(rival()).build({ only: ['email'] })
        }
        return service(request, limits)
      })
      const drop = indexes.on(dropping).drop('email')
      await expect(drop).rejects.toMatchObject({ code: 'DefinitionChanged' })
      expect(await indexed.verify()).toMatchObject({ rows: 2, found: 0 })
      expect(await indexed.state('email')).toBe('readable')
    },
  )
})

describe('verify', () => {
  it('of an index that is dropped meanwhile says so', async () => {
    const { indexed, indexes, rival, between, opened } = await grown(2)
    await indexed.build()
    opened.now += 10_000
    between(
      (request) => request.path.endsWith('employees()'),
      () => indexes.on(rival()).drop('email'),
    )
    await expect(indexed.verify()).rejects.toMatchObject({ code: 'NotReadable' })
    await expect(indexed.verify({ only: ['email'] })).rejects.toThrow('it is dropped')
  })

  it('by a program that may only read finds what is wrong', async () => {
    const { indexed, indexes, old, opened } = await grown(2)
    await indexed.build()
    const reading = opened.over(
      (service) => async (request, limits) =>
        request.method === 'GET'
          ? service(request, limits)
          : { status: 403, headers: {}, body: '{"odata.error":{"code":"AuthorizationFailure"}}' },
    )
    expect(await indexes.on(reading).verify()).toMatchObject({ rows: 2, found: 0 })
    await old.insert({ ...jones, id: 9, email: '9@contoso.com' })
    expect(await indexes.on(reading).verify()).toMatchObject({ rows: 3, found: 2 })
  })

  it('R-146: records when it began, if all was right then', async () => {
    const { indexed, employees, old, opened } = await grown(2)
    const verifiedAt = async () => {
      await indexed.query('email', { department: 'Sales' }).toArray()
      const { reasons } = indexed.query('email', { department: 'Sales' }).explain()
      return Date.parse(/verified at (\S+Z)\./.exec(reasons.join(' '))?.[1] ?? '')
    }
    await indexed.build()
    const builtAt = opened.now
    opened.now += 60_000
    await old.insert({ ...jones, id: 9, email: '9@contoso.com' })
    await indexed.verify()
    opened.now += 60_000
    expect(await verifiedAt()).toBe(builtAt)
    await employees.delete({ department: 'Sales', id: 9 }, { etag: '*' })
    await indexed.verify({ from: 'after:' })
    opened.now += 60_000
    expect(await verifiedAt()).toBe(builtAt)
    const begunAt = opened.now
    const onProgress = () => {
      opened.now += 60_000
    }
    await indexed.verify({ onProgress })
    expect(await verifiedAt()).toBe(begunAt)
  })
})
