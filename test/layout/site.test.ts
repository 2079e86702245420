import { describe, expect, it } from 'vitest'
import { documents } from '../../scripts/snippets.ts'
import { groups, linkTo, pages } from '../../site/.vitepress/pages.ts'

describe('the site', () => {
  it('shows the README, and every page of docs', () => {
    const shown = documents().filter((page) => !page.startsWith('packages/'))
    expect(shown.filter((page) => !pages.includes(page))).toEqual([])
  })

  it('shows no page twice in its sidebar', () => {
    const entries = groups.flatMap((group) => Object.keys(group.pages))
    expect(entries.filter((entry, index) => entries.indexOf(entry) !== index)).toEqual([])
  })

  it('gives pages the addresses of their files below docs', () => {
    expect(linkTo('README.md')).toBe('/tour')
    expect(linkTo('examples/stacks/README.md#azure-functions')).toBe('/stacks#azure-functions')
    expect(linkTo('site/reference/index.md')).toBe('/reference/')
  })
})
