import { type ComponentChildren, createContext, type JSX } from 'preact'
import { useContext, useEffect, useState } from 'preact/hooks'
import { BASE } from './base.ts'
import { parseView, printView, type View } from './view.ts'

/** The tokens of the pages before this one; `''` for the first page. */
export type PageTrail = readonly string[]

/** Where the reader is, and how to go elsewhere. */
export interface Navigation {
  readonly view: View
  /** The pages before this one, as far as this tab knows them. */
  readonly trail: PageTrail
  go(view: View, trail?: PageTrail): void
}

const Context = createContext<Navigation | undefined>(undefined)

/** Returns where the reader is. */
export function useNavigation(): Navigation {
  return useContext(Context) as Navigation
}

function here(): { readonly view: View; readonly trail: PageTrail } {
  const trail: unknown = history.state?.trail
  return {
    view: parseView(`/${location.pathname.slice(BASE.length)}`, location.search),
    trail: Array.isArray(trail) ? trail : [],
  }
}

/** Provides {@link useNavigation}: the address is the state, and Back goes back. */
export function NavigationProvider(props: { readonly children: ComponentChildren }): JSX.Element {
  const [place, setPlace] = useState(here)
  useEffect(() => {
    const onChange = () => setPlace(here())
    addEventListener('popstate', onChange)
    return () => removeEventListener('popstate', onChange)
  }, [])
  const go = (view: View, trail: PageTrail = place.trail): void => {
    history.pushState({ trail }, '', BASE + printView(view).slice(1))
    setPlace({ view, trail })
  }
  return <Context.Provider value={{ ...place, go }}>{props.children}</Context.Provider>
}

/** A link to a view, which opens in place; with Ctrl or in a new tab it is a link as any other. */
export function ViewLink(props: {
  readonly view: View
  /** The pages before; those of this view when absent. */
  readonly trail?: PageTrail
  readonly class?: string
  /** What is shown now, for screen readers. */
  readonly current?: 'page' | 'true' | undefined
  readonly children: ComponentChildren
}): JSX.Element {
  const { view, trail, current, children } = props
  const { go } = useNavigation()
  const open = (event: MouseEvent): void => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return
    event.preventDefault()
    go(view, trail)
  }
  return (
    <a
      class={props.class}
      aria-current={current}
      href={BASE + printView(view).slice(1)}
      onClick={open}
    >
      {children}
    </a>
  )
}
