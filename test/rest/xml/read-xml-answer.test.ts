import { describe, expect, it } from 'vitest'
import { readXmlAnswer } from '../../../packages/rest/src/xml/read-xml-answer.ts'

describe('readXmlAnswer', () => {
  it('gives the root of the right name', async () => {
    const root = await readXmlAnswer('getTableAcl', '<SignedIdentifiers />', 'SignedIdentifiers')
    expect(root.text).toBe('')
  })

  it.each(['', '{}', '<html><body>Sign in</body></html>', '<SignedIdentifiers>'])(
    'takes %j for no answer, and says so',
    async (body) => {
      await expect(readXmlAnswer('getTableAcl', body, 'SignedIdentifiers')).rejects.toThrow(
        expect.objectContaining({
          code: 'UnexpectedAnswer',
          mayHaveApplied: false,
          message: expect.stringContaining('getTableAcl'),
        }),
      )
    },
  )
})
