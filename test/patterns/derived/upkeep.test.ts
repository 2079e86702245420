import { key } from '@rowkey/mapper'
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
})
