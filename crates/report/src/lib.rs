// SPDX-License-Identifier: MIT OR Apache-2.0
//! Output for readers: terminal tables, pictures, the HTML page, and the figures of merit in them.
//!
//! | module | contents |
//! |---|---|
//! | [`csv`](mod@csv) | cells of CSV files |
//! | [`number`] | thousands separators, SI suffixes |
//! | [`table`] | a table for the terminal |
//! | [`fill`](mod@fill) | sentences for the terminal |
//! | [`plot`] | pictures as SVG and PNG: values over time, bars |
//! | [`portrait`] | the path of a control loop |
//! | [`page`] | one self-contained HTML file |
//! | [`xml`] | text escaped for HTML and XML |
//! | [`build`] | the page of `tidegate build` |
//! | [`comparison`] | the page of `tidegate compare --report` |
//! | [`experiment`] | the files, pictures and page of `tidegate run` and `tidegate reproduce` |
//! | [`sweep`] | the results and the page of `tidegate sweep` |
//! | [`steps`] | mean, share of time and percentile of a value that holds between samples |
//!
//! Nothing here reads a clock or draws a random number: the same input gives the same bytes, so reports can be
//! compared.

pub mod build;
pub mod comparison;
pub mod csv;
pub mod experiment;
pub mod fill;
pub mod number;
pub mod page;
pub mod plot;
pub mod portrait;
pub mod steps;
pub mod sweep;
pub mod table;
pub mod xml;
