import Entity from '@rowkey/azure-entities'
import { afterEach, describe, expect, it } from 'vitest'
import { embeddedTables } from '../tables.ts'
import { freshItems, Item, one } from './fresh-items.ts'

describe('a monitor', () => {
  it('does not hide the result of a call when it throws', async () => {
    const fail = () => {
      throw new RangeError('the monitor is broken')
    }
    const { Items } = await freshItems({ measure: fail, count: fail })
    await Items.create(one)
    expect((await Items.load(one)).count).toBe(1)
  })

  it('counts and measures every call, by its result', async () => {
    const counts: string[] = []
    const measures: string[] = []
    const monitor = {
      count: (name: string) => counts.push(name),
      measure: (name: string, value: number) => measures.push(`${name} ${typeof value}`),
    }
    const { Items } = await freshItems(monitor)
    const item = await Items.create(one)
    await item.modify((draft) => {
      draft.count += 1
    })
    await Items.scan()
    await item.remove()
    await Items.load(one, true)
    expect(counts).toEqual([
      'createTable.success',
      'insertEntity.success',
      'updateEntity.success',
      'queryEntities.success',
      'deleteEntity.success',
      'getEntity.error',
    ])
    expect(measures).toEqual(counts.map((name) => `${name} number`))
  })

  it('counts an ensureTable that finds a table as an error, as azure-entities does', async () => {
    const counts: string[] = []
    const { Items } = await freshItems({ count: (name) => counts.push(name), measure() {} })
    await Items.ensureTable()
    expect(counts).toEqual(['createTable.success', 'createTable.error'])
  })
})

describe('Entity.debug', () => {
  const { debug } = Entity
  afterEach(() => {
    Entity.debug = debug
  })

  async function reportsOf(options: object) {
    const reports: string[] = []
    Entity.debug = (message) => reports.push(message)
    const { service } = embeddedTables()
    const Items = Item.setup({ tableName: 'items', service, ...options })
    await Items.ensureTable()
    await Items.create(one)
    return reports
  }

  it.each([{ operationReportChance: 1 }, { operationReportThreshold: -1 }])(
    'receives the calls that %o chooses',
    async (options) => {
      expect(await reportsOf(options)).toEqual([
        expect.stringMatching(/^TIMING: createTable on items took [\d.]+ milliseconds\.$/),
        expect.stringMatching(/^TIMING: insertEntity on items took [\d.]+ milliseconds\.$/),
      ])
    },
  )

  it('receives nothing else', async () => {
    expect(await reportsOf({ operationReportChance: null })).toEqual([])
  })

  it('rejects a chance that is not a probability', async () => {
    await expect(reportsOf({ operationReportChance: 1.4 })).rejects.toThrow(
      'operationReportChance must be a number from 0 to 1, not 1.4.',
    )
  })
})
