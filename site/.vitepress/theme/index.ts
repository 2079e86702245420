import TwoslashFloatingVue from '@shikijs/vitepress-twoslash/client'
import { type Theme, useData } from 'vitepress'
import DefaultTheme from 'vitepress/theme'
import { watchEffect } from 'vue'
import '@shikijs/vitepress-twoslash/style.css'
import './rowkey.css'
import HomeLayout from './HomeLayout.vue'
import HomeTasks from './HomeTasks.vue'
import PlaygroundPage from './PlaygroundPage.vue'
import VersionMenu from './VersionMenu.vue'

export default {
  extends: DefaultTheme,
  Layout: HomeLayout,
  enhanceApp({ app }) {
    app.use(TwoslashFloatingVue)
    app.component('PlaygroundPage', PlaygroundPage)
    app.component('HomeTasks', HomeTasks)
    app.component('VersionMenu', VersionMenu)
  },
  setup() {
    const { isDark } = useData()
    // The pages of typedoc read this name: both are dark or light together.
    watchEffect(() => {
      if (!import.meta.env.SSR) localStorage.setItem('tsd-theme', isDark.value ? 'dark' : 'light')
    })
  },
} satisfies Theme
