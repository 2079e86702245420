import { DecodeError, isRowkeyError } from '@rowkey/odata'
import { getEntity, perform } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { jeff } from '../people.ts'
import { scriptedTransport } from '../scripted-transport.ts'
import { serviceOver } from '../service-over.ts'

describe('DecodeError', () => {
  it('keeps the parser’s error, and does not show the body', async () => {
    const service = serviceOver(scriptedTransport({ body: '<html>c2VjcmV0</html>' }))
    const error = await perform(service, getEntity, jeff).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(DecodeError)
    expect(isRowkeyError(error)).toBe(true)
    expect(error).toMatchObject({
      name: 'DecodeError',
      code: 'UnexpectedResponse',
      cause: expect.any(SyntaxError),
      mayHaveApplied: false,
    })
    expect((error as Error).message).not.toContain('c2VjcmV0')
  })
})
