import { afterEach, expect, it, vi } from 'vitest'

const FILE = '../../../../packages/mapper/src/table/write/send-changes.ts'

afterEach(() => {
  vi.doUnmock(FILE)
  vi.resetModules()
})

/** Modules that have sent nothing yet, so that the first write loads the code that sends it. */
async function freshModules() {
  vi.resetModules()
  const code = { isMissing: true, loads: 0 }
  vi.doMock(FILE, async (original) => {
    code.loads++
    if (code.isMissing) throw new Error('The code was not loaded.')
    return original()
  })
  const { freshTable } = await import('../../fresh-account.ts')
  const { Customer, customer } = await import('../../customer.ts')
  return { code, customer, ...(await freshTable(Customer)) }
}

it('the first write rejects without a request when its code cannot be loaded, and may be repeated', async () => {
  const { code, table, sent, customer } = await freshModules()
  const jeff = customer('Smith', 'Jeff')
  const notLoaded = { name: 'InputError', code: 'PartNotLoaded', cause: expect.any(Error) }
  await expect(table.insert(jeff)).rejects.toMatchObject(notLoaded)
  await expect(table.batch().insert(jeff).submit()).rejects.toMatchObject(notLoaded)
  expect([sent, jeff.etag]).toEqual([[], undefined])

  code.isMissing = false
  await table.insert(jeff)
  // Nothing overlaps with it, so the object knows its ETag.
  expect(jeff.etag).toBe((await table.get(jeff)).etag)
})

it('the first writes send what their objects held when they were called', async () => {
  const { code, table, sent, customer } = await freshModules()
  code.isMissing = false
  const [jeff, ben] = [customer('Smith', 'Jeff', { age: 1 }), customer('Smith', 'Ben', { age: 1 })]
  const writes = [table.insert(jeff), table.insert(ben)]
  jeff.age = 2
  ben.lastName = 'Jones'
  await Promise.all(writes)
  expect(sent.map(({ body }) => JSON.parse(String(body)))).toMatchObject([
    { PartitionKey: 'Smith', RowKey: 'Jeff', age: 1 },
    { PartitionKey: 'Smith', RowKey: 'Ben', age: 1 },
  ])
  expect(code.loads).toBe(1)
})

it('the first write is pending while its code is loaded, so that a drain waits for it', async () => {
  const { code, table, account, sent, customer } = await freshModules()
  code.isMissing = false
  const write = table.insert(customer('Smith', 'Jeff'))
  const closed = account.close({ drain: true })
  await expect(table.insert(customer('Smith', 'Ben'))).rejects.toThrow()
  await Promise.all([write, closed])
  expect(sent).toHaveLength(1)
})

it('the first write is not sent when its signal aborts while the code is loaded', async () => {
  const { code, table, sent, customer } = await freshModules()
  code.isMissing = false
  const stop = new AbortController()
  const write = table.insert(customer('Smith', 'Jeff'), { signal: stop.signal })
  stop.abort()
  await expect(write).rejects.toMatchObject({ name: 'AbortError', mayHaveApplied: false })
  expect(sent).toEqual([])
})
