import { ConnectionError, type Transport } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { withTransportErrors } from '../../../packages/rest/src/http/with-transport-errors.ts'
import { read, write } from '../people.ts'
import { scriptedTransport } from '../scripted-transport.ts'

const boom = new TypeError('boom')

describe('withTransportErrors', () => {
  it('R-107: wraps what a transport throws, and keeps it as the cause', async () => {
    const transport = withTransportErrors(scriptedTransport(boom))
    await expect(transport({ ...write, query: 'sig=c2VjcmV0' })).rejects.toMatchObject({
      code: 'TransportFailed',
      mayHaveApplied: true,
      cause: boom,
      message: expect.not.stringContaining('c2VjcmV0'),
    })
    await expect(transport(read)).rejects.toMatchObject({ mayHaveApplied: false })
  })

  it('lets the errors of the contract pass as they are', async () => {
    const refused = new ConnectionError({ message: 'no', failure: 'refused' })
    await expect(withTransportErrors(scriptedTransport(refused))(read)).rejects.toBe(refused)
  })

  it('lets answers pass, and closes what is below', async () => {
    let closed = 0
    const below: Transport = Object.assign(scriptedTransport({ status: 204 }), {
      close: async () => void closed++,
    })
    const transport = withTransportErrors(below)
    expect(await transport(read)).toMatchObject({ status: 204 })
    await transport.close?.()
    expect(closed).toBe(1)
  })
})
