import DefaultTheme from 'vitepress/theme'
import './rowkey.css'

export default DefaultTheme
