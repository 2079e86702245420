/** The search: which pages come first, and how people use it without a mouse. */
import type { Plugin } from 'vite'

/**
 * Shows tasks, also those that are a heading of a page, before the other pages, pages for other clients after them, and the reference last.
 * It runs in the browser, so it uses nothing of this file.
 *
 * @param id - the address of a page and a heading
 */
export function boostDocument(id: string): number {
  if (/\/(?:reference\/|project\/|errors|bench|contributing|tour|pages|security)/.test(id))
    return 0.3
  if (/\/azure-(?:storage|entities)/.test(id)) return 0.6
  if (/#(?:count-rows|pages|concurrent-changes|exact-writes)$/.test(id)) return 1.9
  return /\/(?:tasks\/|troubleshooting|stacks|expiry|several-types|testing)/.test(id) ? 1.4 : 1
}

/** Counts the words that stand on every page for less. It runs in the browser, as `boostDocument` does. */
export function boostTerm(term: string): number {
  const common =
    /^(?:a|all|an|and|as|at|by|do|does|for|from|how|i|in|into|is|it|my|of|on|only|or|per|some|than|the|to|what|when|with)$/
  return common.test(term) ? 0.3 : 1
}

/** What the template of VitePress says, and what a screen reader needs in its place: a dialog, a combobox, and options that are links. */
const REPAIRS: readonly (readonly [template: string, repaired: string])[] = [
  [
    `role="button"
      :aria-owns="results?.length ? 'localsearch-list' : undefined"
      aria-expanded="true"
      aria-haspopup="listbox"
      aria-labelledby="localsearch-label"`,
    'role="dialog" aria-modal="true" aria-labelledby="localsearch-label"',
  ],
  [
    'aria-autocomplete="both"',
    `role="combobox" aria-autocomplete="list" :aria-expanded="results?.length ? 'true' : 'false'"`,
  ],
  [
    `:id="'localsearch-item-' + index"
            :aria-selected="selectedIndex === index ? 'true' : 'false'"
            role="option"`,
    'role="presentation"',
  ],
  ['<kbd :aria-label', '<kbd role="img" :aria-label'],
  [
    'class="result"',
    `class="result" role="option" :id="'localsearch-item-' + index" :aria-selected="selectedIndex === index ? 'true' : 'false'"`,
  ],
]

/** Repairs the roles of the search dialog. Fails when the template has changed. */
export const accessibleSearch: Plugin = {
  name: 'rowkey-accessible-search',
  enforce: 'pre',
  transform(code, id) {
    if (!id.endsWith('VPLocalSearchBox.vue')) return undefined
    return REPAIRS.reduce((repaired, [template, replacement]) => {
      if (!repaired.includes(template)) throw new Error(`${id} has no ${template}`)
      return repaired.replaceAll(template, () => replacement)
    }, code)
  },
}
