"use strict";(self.rspackChunkcl_magic=self.rspackChunkcl_magic||[]).push([["style_index_js"],{"./node_modules/css-loader/dist/cjs.js!./style/base.css"(e,t,r){var o=r("./node_modules/css-loader/dist/runtime/noSourceMaps.js"),n=r.n(o),i=r("./node_modules/css-loader/dist/runtime/api.js"),c=(r.n(i))()(n());c.push([e.id,`/* What JupyterLab's themes leave unstyled in OpenCL C, with their own colours. */
.cl-type {
  color: var(--jp-mirror-editor-keyword-color);
}

.cl-call {
  color: var(--jp-mirror-editor-def-color);
}

.cl-unknown-flag {
  color: var(--jp-mirror-editor-attribute-color);
  text-decoration: underline dotted var(--jp-error-color1);
}

/* Marks of diagnostics: the underline, its disc in the gutter, the tooltip. */
.cl-editor.cm-editor .cm-lintRange {
  background-image: none;
  text-decoration: underline wavy 1px;
  text-decoration-skip-ink: none;
  text-underline-offset: 3px;
}

.cl-editor.cm-editor .cl-mark-error {
  text-decoration-color: var(--jp-error-color1);
}

.cl-editor.cm-editor .cl-mark-warning {
  text-decoration-color: var(--jp-warn-color1);
}

.cl-editor.cm-editor .cl-mark-note,
.cl-editor.cm-editor .cl-mark-remark {
  text-decoration-color: var(--jp-info-color1);
}

.cl-editor.cm-editor .cm-gutters {
  border-right: 0;
  background: transparent;
}

.cl-editor.cm-editor .cm-gutter-lint {
  width: 14px;
}

.cl-editor.cm-editor .cm-gutter-lint .cm-gutterElement {
  padding: 0 2px;
  display: flex;
  align-items: center;
}

.cl-editor.cm-editor .cm-lint-marker {
  width: 10px;
  height: 10px;
  box-sizing: border-box;
  content: none;
  border-radius: 50%;
  background: var(--jp-info-color1);
}

.cl-editor.cm-editor .cm-lint-marker-error {
  background: var(--jp-error-color1);
}

.cl-editor.cm-editor .cm-lint-marker-warning {
  border-radius: 0;
  background: var(--jp-warn-color1);
  clip-path: polygon(50% 0, 100% 100%, 0 100%);
}

.cl-editor .cm-tooltip.cm-tooltip-lint .cm-diagnostic {
  border-left: 0;
  padding: 4px 8px;
  font-family: var(--jp-ui-font-family);
  font-size: 13px;
  line-height: 20px;
}

.cl-editor .cm-tooltip .cm-diagnosticAction.cm-diagnosticAction {
  margin: 4px 8px 0 0;
  padding: 2px 8px;
  min-height: 22px;
  border: 1px solid var(--jp-border-color1);
  border-radius: 2px;
  background: var(--jp-layout-color0);
  color: var(--jp-content-link-color);
  font-size: 13px;
}

.cl-editor .cm-tooltip .cm-diagnosticAction.cm-diagnosticAction:focus-visible,
.cl-jump:focus-visible {
  outline: 2px solid var(--jp-brand-color1);
}

.cl-mark-message > div {
  white-space: pre-wrap;
  max-width: 72ch;
}

.cl-is-error,
.cl-is-warning,
.cl-is-note,
.cl-is-remark {
  font-weight: 600;
  color: color-mix(in srgb, var(--jp-info-color1) 60%, var(--jp-ui-font-color1));
}

.cl-is-error {
  color: color-mix(in srgb, var(--jp-error-color1) 70%, var(--jp-ui-font-color1));
}

.cl-is-warning {
  color: color-mix(in srgb, var(--jp-warn-color1) 50%, var(--jp-ui-font-color1));
}

.cl-dim,
.cl-hint {
  color: var(--jp-ui-font-color2);
}

.cl-hint {
  margin: 4px 0;
  font-size: 13px;
  line-height: 20px;
}

/* Positions in a build report. */
.cl-output .clm:not(#_) .cl-jump {
  cursor: pointer;
  color: var(--jp-content-link-color);
}

.cl-output .clm:not(#_) .cl-jump:hover {
  text-decoration: underline;
}
`,""]),r.d(t,{},{A:c})},"./node_modules/css-loader/dist/runtime/api.js"(e){e.exports=function(e){var t=[];return t.toString=function(){return this.map(function(t){var r="",o=void 0!==t[5];return t[4]&&(r+="@supports (".concat(t[4],") {")),t[2]&&(r+="@media ".concat(t[2]," {")),o&&(r+="@layer".concat(t[5].length>0?" ".concat(t[5]):""," {")),r+=e(t),o&&(r+="}"),t[2]&&(r+="}"),t[4]&&(r+="}"),r}).join("")},t.i=function(e,r,o,n,i){"string"==typeof e&&(e=[[null,e,void 0]]);var c={};if(o)for(var s=0;s<this.length;s++){var l=this[s][0];null!=l&&(c[l]=!0)}for(var a=0;a<e.length;a++){var d=[].concat(e[a]);o&&c[d[0]]||(void 0!==i&&(void 0===d[5]||(d[1]="@layer".concat(d[5].length>0?" ".concat(d[5]):""," {").concat(d[1],"}")),d[5]=i),r&&(d[2]&&(d[1]="@media ".concat(d[2]," {").concat(d[1],"}")),d[2]=r),n&&(d[4]?(d[1]="@supports (".concat(d[4],") {").concat(d[1],"}"),d[4]=n):d[4]="".concat(n)),t.push(d))}},t}},"./node_modules/css-loader/dist/runtime/noSourceMaps.js"(e){e.exports=function(e){return e[1]}},"./node_modules/style-loader/dist/runtime/injectStylesIntoStyleTag.js"(e){var t=[];function r(e){for(var r=-1,o=0;o<t.length;o++)if(t[o].identifier===e){r=o;break}return r}function o(e,o){for(var n={},i=[],c=0;c<e.length;c++){var s=e[c],l=o.base?s[0]+o.base:s[0],a=n[l]||0,d="".concat(l," ").concat(a);n[l]=a+1;var u=r(d),p={css:s[1],media:s[2],sourceMap:s[3],supports:s[4],layer:s[5]};if(-1!==u)t[u].references++,t[u].updater(p);else{var m=function(e,t){var r=t.domAPI(t);return r.update(e),function(t){t?(t.css!==e.css||t.media!==e.media||t.sourceMap!==e.sourceMap||t.supports!==e.supports||t.layer!==e.layer)&&r.update(e=t):r.remove()}}(p,o);o.byIndex=c,t.splice(c,0,{identifier:d,updater:m,references:1})}i.push(d)}return i}e.exports=function(e,n){var i=o(e=e||[],n=n||{});return function(e){e=e||[];for(var c=0;c<i.length;c++){var s=r(i[c]);t[s].references--}for(var l=o(e,n),a=0;a<i.length;a++){var d=r(i[a]);0===t[d].references&&(t[d].updater(),t.splice(d,1))}i=l}}},"./node_modules/style-loader/dist/runtime/insertBySelector.js"(e){var t={};e.exports=function(e,r){var o=function(e){if(void 0===t[e]){var r=document.querySelector(e);if(window.HTMLIFrameElement&&r instanceof window.HTMLIFrameElement)try{r=r.contentDocument.head}catch(e){r=null}t[e]=r}return t[e]}(e);if(!o)throw Error("Couldn't find a style target. This probably means that the value for the 'insert' parameter is invalid.");o.appendChild(r)}},"./node_modules/style-loader/dist/runtime/insertStyleElement.js"(e){e.exports=function(e){var t=document.createElement("style");return e.setAttributes(t,e.attributes),e.insert(t,e.options),t}},"./node_modules/style-loader/dist/runtime/setAttributesWithoutAttributes.js"(e,t,r){e.exports=function(e){var t=r.nc;t&&e.setAttribute("nonce",t)}},"./node_modules/style-loader/dist/runtime/styleDomAPI.js"(e){e.exports=function(e){if("u"<typeof document)return{update:function(){},remove:function(){}};var t=e.insertStyleElement(e);return{update:function(r){var o,n,i;o="",r.supports&&(o+="@supports (".concat(r.supports,") {")),r.media&&(o+="@media ".concat(r.media," {")),(n=void 0!==r.layer)&&(o+="@layer".concat(r.layer.length>0?" ".concat(r.layer):""," {")),o+=r.css,n&&(o+="}"),r.media&&(o+="}"),r.supports&&(o+="}"),(i=r.sourceMap)&&"u">typeof btoa&&(o+="\n/*# sourceMappingURL=data:application/json;base64,".concat(btoa(unescape(encodeURIComponent(JSON.stringify(i))))," */")),e.styleTagTransform(o,t,e.options)},remove:function(){var e;null===(e=t).parentNode||e.parentNode.removeChild(e)}}}},"./node_modules/style-loader/dist/runtime/styleTagTransform.js"(e){e.exports=function(e,t){if(t.styleSheet)t.styleSheet.cssText=e;else{for(;t.firstChild;)t.removeChild(t.firstChild);t.appendChild(document.createTextNode(e))}}},"./style/index.js"(e,t,r){var o=r("./node_modules/style-loader/dist/runtime/injectStylesIntoStyleTag.js"),n=r.n(o),i=r("./node_modules/style-loader/dist/runtime/styleDomAPI.js"),c=r.n(i),s=r("./node_modules/style-loader/dist/runtime/insertBySelector.js"),l=r.n(s),a=r("./node_modules/style-loader/dist/runtime/setAttributesWithoutAttributes.js"),d=r.n(a),u=r("./node_modules/style-loader/dist/runtime/insertStyleElement.js"),p=r.n(u),m=r("./node_modules/style-loader/dist/runtime/styleTagTransform.js"),f=r.n(m),v=r("./node_modules/css-loader/dist/cjs.js!./style/base.css"),g={};g.styleTagTransform=f(),g.setAttributes=d(),g.insert=l().bind(null,"head"),g.domAPI=c(),g.insertStyleElement=p(),n()(v.A,g),v.A&&v.A.locals&&v.A.locals}}]);