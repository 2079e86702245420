import { afterAll, describe, expect, it } from 'vitest'
import { writablePeople } from '../writable-people.ts'

const { studio, address, stored, shown } = await writablePeople()
afterAll(() => studio[Symbol.asyncDispose]())

describe('an edit', () => {
  it.each([
    [{ etag: '*' }, 'InvalidArgument'],
    [{ etag: ' *' }, 'InvalidArgument'],
    [{ etag: '' }, 'InvalidArgument'],
    [{ etag: undefined }, 'InvalidArgument'],
    [{ set: 'age' }, 'InvalidArgument'],
    [{ set: [{ name: 'age', type: 'Number', text: '1' }] }, 'InvalidArgument'],
    [{ set: [{ name: 'age', type: 'Int32' }] }, 'InvalidArgument'],
    [{ remove: [1] }, 'InvalidArgument'],
    [{ row: 5 }, 'InvalidArgument'],
    [{ set: [{ name: 'age', type: 'Int32', text: '3.5' }] }, 'UnreadableInput'],
    [{ set: [{ name: 'age', type: 'Int64', text: '9223372036854775808' }] }, 'UnreadableInput'],
    [{ set: [{ name: 'id', type: 'Guid', text: 'x' }] }, 'UnreadableInput'],
    [{ set: [{ name: 'PartitionKey', type: 'String', text: 'x' }] }, 'InvalidPropertyName'],
    [{ set: [{ name: 'a-b', type: 'String', text: 'x' }] }, 'InvalidPropertyName'],
  ])('with %j is rejected with %s', async (wrong, code) => {
    const { etag } = await shown('wrong')
    const edit = { ...address('wrong'), etag, set: [], remove: [], ...wrong }
    const { status, json } = await studio.post('/api/edit', edit)
    expect([status, json.error.code]).toEqual([400, code])
    expect((await stored('wrong'))?.etag).toBe(etag)
  })

  it('that is not JSON is rejected', async () => {
    const headers = { cookie: studio.cookie, 'content-type': 'application/json' }
    for (const body of ['', '{', 'null', '[]', '5']) {
      expect((await studio.send('/api/edit', { method: 'POST', headers, body })).status).toBe(400)
    }
    const plain = { ...headers, 'content-type': 'text/plain' }
    const body = JSON.stringify({ ...address('x'), etag: 'W/"1"', set: [], remove: [] })
    const sent = await studio.send('/api/edit', { method: 'POST', headers: plain, body })
    expect(sent.status).toBe(400)
  })
})
