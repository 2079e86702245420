import { DynamicEntity } from 'rowkey'
import { afterAll, describe, expect, it } from 'vitest'
import type { Assignment } from '../../../packages/studio/src/server/wire.ts'
import { writablePeople } from '../writable-people.ts'

const { studio, people, address, stored, shown } = await writablePeople()
afterAll(() => studio[Symbol.asyncDispose]())

describe('an edit', () => {
  it.each([
    [[], ['flag']],
    [[{ name: 'text', type: 'String', text: 'mine' }], []],
  ] satisfies [Assignment[], string[]][])(
    'of an outdated version changes nothing, and shows what is stored: %j %j',
    async (set, remove) => {
      const { etag } = await shown('conflict')
      await people.merge(new DynamicEntity('Smith', 'conflict', { text: 'theirs' }), {
        etag: '*',
      })
      const edit = { ...address('conflict'), etag, set, remove }
      const { status, json } = await studio.post('/api/edit', edit)
      expect([status, json.error.code]).toEqual([412, 'UpdateConditionNotSatisfied'])
      expect(Object.fromEntries(json.stored.values).text.text).toBe('theirs')
      expect(json.stored.etag).not.toBe(etag)
      expect((await stored('conflict'))?.get('text')?.value).toBe('theirs')
      expect((await stored('conflict'))?.has('flag')).toBe(true)
    },
  )

  it('of a row that was deleted says so', async () => {
    const { etag } = await shown('deleted')
    await people.delete(['Smith', 'deleted'], { etag: '*' })
    const edit = { ...address('deleted'), etag, set: [], remove: ['flag'] }
    const { status, json } = await studio.post('/api/edit', edit)
    expect([status, json.stored]).toEqual([412, null])
  })
})
