import { build } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { withPureCalls } from '../../scripts/build/plugins.ts'

describe('the calls that make constants of a module', () => {
  it('are marked, with the calls in their arguments and objects', () => {
    expect(withPureCalls('export const a = declare({ b: rule(1), c: [new Set(d())] })')).toBe(
      'export const a = /* @__PURE__ */ declare({ b: /* @__PURE__ */ rule(1), c: [/* @__PURE__ */ new Set(/* @__PURE__ */ d())] })',
    )
  })

  it('are not marked in functions and in statements', () => {
    const code = 'const run = () => send()\nstart()\nclass A { b = c() }\n'
    expect(withPureCalls(code)).toBe(code)
  })

  it('keep their lines, because maps have lines', () => {
    const code = 'const a = b(\n  c(),\n)\n'
    expect(withPureCalls(code).split('\n')).toHaveLength(code.split('\n').length)
  })

  it('leave nothing in a bundle that does not use the constant', async () => {
    const contents = `${withPureCalls('const unused = declare({ b: rule(1) })')}\nexport const used = 1`
    const { outputFiles } = await build({
      stdin: { contents },
      bundle: true,
      format: 'esm',
      write: false,
    })
    expect(outputFiles[0]?.text).not.toMatch(/declare|rule/)
  })
})
