import { describe, expect, it } from 'vitest'
import { openPeople } from '../open.ts'

const row = { partitionKey: 'p', rowKey: 'r' }

describe('the options of a call', () => {
  it('add headers to the request, in place of others', async () => {
    const { people, sent } = await openPeople()
    const customHeaders = { 'X-MS-Client-Request-Id': 'mine', 'x-more': 'yes' }
    const result = await people.createEntity(row, { requestOptions: { customHeaders } })
    expect(sent[0]?.headers).toMatchObject({ 'x-ms-client-request-id': 'mine', 'x-more': 'yes' })
    expect(result.clientRequestId).toBe('mine')
  })

  it('set the id of a request that changes the properties', async () => {
    const { service, sent } = await openPeople()
    await service.setProperties({}, { requestId: 'mine' })
    expect(sent[0]?.headers['x-ms-client-request-id']).toBe('mine')
  })

  it('take the signals of older libraries', async () => {
    const { people } = await openPeople()
    const aborted = { aborted: true, addEventListener() {}, removeEventListener() {} }
    await expect(people.getEntity('p', 'r', { abortSignal: aborted })).rejects.toMatchObject({
      name: 'AbortError',
    })
    const listeners: (() => void)[] = []
    const abortSignal = {
      aborted: false,
      addEventListener: (_: string, listener: () => void) => listeners.push(listener),
      removeEventListener() {},
    }
    const call = people.getEntity('p', 'r', { abortSignal } as never)
    const other = people.getEntity('p', 's', { abortSignal } as never)
    // A signal of the whole program would collect one for each call.
    expect(listeners).toHaveLength(1)
    listeners[0]?.()
    await expect(call).rejects.toMatchObject({ name: 'AbortError' })
    await expect(other).rejects.toMatchObject({ name: 'AbortError' })
  })

  it('may be those of other libraries: what has no meaning here is ignored', async () => {
    const { people } = await openPeople()
    const options = { tracingOptions: {}, serializerOptions: { xml: {} }, more: 1 }
    await people.createEntity(row, options as object)
    await people.getEntity('p', 'r', { requestOptions: { timeout: 0, shouldDeserialize: true } })
  })

  it('may be null for none, as programs in JavaScript say', async () => {
    const { people } = await openPeople()
    await people.createEntity({ ...row, n: 1 })
    const nothing = { disableTypeConversion: null, requestOptions: null, onResponse: null }
    for (const queryOptions of [null, { filter: null, select: null }]) {
      const options = { ...nothing, queryOptions, abortSignal: null } as object
      expect(await people.getEntity('p', 'r', options)).toMatchObject({ n: 1 })
      expect(await people.listEntities(options).next()).toMatchObject({ value: { n: 1 } })
    }
  })

  it('of a conditional write are checked, because a misspelled etag would overwrite', async () => {
    const { people, sent } = await openPeople()
    for (const options of [{ eTag: 'x' }, { ETag: 'x' }, { ifMatch: 'x' }]) {
      const update = people.updateEntity(row, 'Merge', options as object)
      await expect(update).rejects.toThrow(/has no option '\w+'. Use etag/)
      await expect(people.deleteEntity('p', 'r', options as object)).rejects.toThrow(/Use etag/)
    }
    expect(sent).toEqual([])
  })
})
