import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

const LAZY = '../../../../packages/mapper/src/table/read/entity-pages.ts'

let load: ReturnType<typeof slowLoad>

/** Holds back the code that reads pages until a test lets it come. */
function slowLoad() {
  let arrive = () => {}
  let fail = (_: Error) => {}
  const gate = new Promise<void>((resolve, reject) => {
    arrive = resolve
    fail = reject
  })
  vi.doMock(LAZY, async (original) => {
    await gate
    return original()
  })
  return { arrive, fail }
}

beforeEach(() => {
  vi.resetModules()
  load = slowLoad()
})

afterEach(() => {
  vi.doUnmock(LAZY)
})

/** A query in a program that has not run one yet. */
async function firstQuery() {
  const { freshAccount } = await import('../../fresh-account.ts')
  const { account, service, sent } = freshAccount()
  const people = account.table('people')
  await people.create()
  sent.length = 0
  return { service, sent, query: people.query().where({ partitionKey: 'Smith' }) }
}

describe('a query whose code to read pages is not loaded yet', () => {
  it('ends with an AbortError when its signal aborts, and sends nothing', async () => {
    const { query, sent } = await firstQuery()
    const controller = new AbortController()
    const reason = new RangeError('enough')
    const rows = query.toArray({ signal: controller.signal })
    const listening = expect(rows).rejects.toMatchObject({
      name: 'AbortError',
      cause: reason,
      mayHaveApplied: false,
    })
    controller.abort(reason)
    await listening
    expect(sent).toEqual([])
  })

  it('ends so, too, when only that code is missing', async () => {
    const { service, sent } = await firstQuery()
    const { entitySource } = await import(
      '../../../../packages/mapper/src/table/read/row-reader.ts'
    )
    const controller = new AbortController()
    const rows = {} as Parameters<typeof entitySource>[0]['rows'] // not reached
    const source = entitySource({ service, table: 'people', rows })
    const page = source.fetchPage({}, { projected: false }, { signal: controller.signal })
    controller.abort()
    await expect(page).rejects.toMatchObject({ name: 'AbortError', mayHaveApplied: false })
    expect(sent).toEqual([])
  })

  it('is pending, so that a drain completes it', async () => {
    const { service, query, sent } = await firstQuery()
    const rows = query.toArray()
    const closed = service.close({ drain: true })
    load.arrive()
    expect(await rows).toEqual([])
    expect(sent).toHaveLength(1)
    await closed
    await expect(query.toArray()).rejects.toMatchObject({ name: 'TransportError' })
  })

  it('fails at once when the code cannot be loaded, and loads it with the next query', async () => {
    const { query, sent } = await firstQuery()
    const rows = query.toArray()
    load.fail(new Error('offline'))
    await expect(rows).rejects.toThrow()
    expect(sent).toEqual([])
    vi.doUnmock(LAZY)
    expect(await query.toArray()).toEqual([])
  })

  it('rejects unknown options before the load', async () => {
    const { query } = await firstQuery()
    await expect(query.toArray({ sginal: 1 } as object)).rejects.toMatchObject({
      code: 'UnknownOption',
    })
  })
})
