import { getEntity, perform } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { withRequestId } from '../../../packages/rest/src/http/with-request-id.ts'
import { jeff, read } from '../people.ts'
import { scriptedTransport } from '../scripted-transport.ts'
import { serviceOver } from '../service-over.ts'

describe('withRequestId', () => {
  it('adds the id to the headers and leaves the request as it was', () => {
    const before = Object.freeze({ ...read, headers: Object.freeze({ accept: 'x' }) })
    expect(withRequestId(before, 'id-1')).toEqual({
      ...read,
      headers: { accept: 'x', 'x-ms-client-request-id': 'id-1' },
    })
  })

  it('is the same for every attempt of a call, and another for the next call', async () => {
    const transport = scriptedTransport({ status: 503 }, { body: jeff.body })
    const service = serviceOver(transport)
    await perform(service, getEntity, jeff)
    await perform(service, getEntity, jeff)
    const ids = transport.requests.map(({ headers }) => headers['x-ms-client-request-id'])
    expect(ids).toEqual(['id-1', 'id-1', 'id-2'])
  })
})
